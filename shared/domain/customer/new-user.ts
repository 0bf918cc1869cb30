import { callerRef, type PartnerCaller } from '../../platform/auth.ts';
import { type Clock, instantText } from '../../platform/clock.ts';
import { recordEvent } from '../../record-event.ts';
import { newId } from '../../platform/ids.ts';
import { create, type Write } from '../../platform/table/index.ts';
import { SubjectEntity, UserEntity, userPartition, type User } from './user.entity.ts';

/** A new record with the published first values. */
export const newUser = (
  clock: Clock,
  person: Pick<User, 'email' | 'auth0_id' | 'email_verified'> &
    Partial<Pick<User, 'full_name' | 'phone' | 'last_login_at'>>,
): User => {
  const now = instantText(clock.now());
  return {
    user_id: newId(clock),
    full_name: '',
    phone: '',
    avatar_url: null,
    date_of_birth: null,
    gender: null,
    language: 'vi',
    timezone: 'Asia/Ho_Chi_Minh',
    rejection_reason: null,
    status: 'ACTIVE',
    system_role: 'USER',
    host_status: 'APPROVED',
    host_application_at: null,
    host_approved_at: null,
    host_approved_by: null,
    last_login_at: person.auth0_id === null ? null : now,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    ...person,
  };
};

/** The partner whose call makes the record, by registering the person or by logging the person in. */
export interface Registrar {
  caller: PartnerCaller;
  isLogin: boolean;
}

/** The writes of a new user: the record, the way to it from the token's subject, and the news (D61). */
export const createUser = (clock: Clock, user: User, registrar?: Registrar): Write[] => {
  const { user_id, auth0_id } = user;
  return [
    create(UserEntity, user),
    ...(auth0_id === null
      ? []
      : [create(SubjectEntity, { subject: auth0_id, user_id }), registered(clock, user_id, registrar)]),
  ];
};

/** The event of a person who has an account from now on; a partner's customer is news for the partner's teams. */
export const registered = (clock: Clock, userId: number, registrar: Registrar | undefined): Write => {
  const team_ids = registrar?.caller.team_ids ?? [];
  return recordEvent(
    { clock, caller: { kind: 'anonymous' } },
    {
      subject: userPartition(userId),
      event_type: 'customer.registered',
      team_id: team_ids[0] ?? null,
      data: { id: userId, team_ids },
      actor: registrar ? callerRef(registrar.caller) : `user:${userId}`,
    },
  );
};
