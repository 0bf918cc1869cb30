import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { IdentityUser } from '../../platform/identity/index.ts';
import { normalEmail } from '../../platform/text/normal-email.ts';
import { change, equals, retryOnConflict, type Table } from '../../platform/table/index.ts';
import { adoptAccount } from './find-or-create-user.ts';
import { isExpired, readKeys, toKeyRecord } from './key.store.ts';
import {
  type Membership,
  nextUpdate,
  readUser,
  readUserByEmail,
  readUserBySubject,
  type User,
  UserEntity,
  type UserWithTeams,
} from './user.store.ts';

/** A person by address, by id, or by the identity provider's user id. */
export type PersonRef = { email: string } | { user_id: number } | { subject: string };

type Deps = Pick<Dependencies, 'table' | 'clock' | 'identity' | 'log'>;

interface BlockedUser {
  user_id: number;
  status: User['status'];
  /** They stay, without effect while the account is blocked. */
  teams: Pick<Membership, 'team_id' | 'role'>[];
  /** Valid keys that the person made: they are their team's and stay valid. */
  keys: { key_id: number; name: string | null; team_ids: number[] }[];
}

/**
 * Blocks an account: the authorizer refuses its tokens, cached results of the gateway end within 60 seconds. One that is known
 * to the identity provider alone gets its record here, so that its first call is refused. An account that is blocked already is
 * left as it is.
 */
export const blockUser = async (deps: Deps, person: PersonRef): Promise<BlockedUser> => {
  const found = await findOrAdopt(deps, person);
  const { user, memberships } = await moveUser(
    deps,
    { user_id: found.user.user_id },
    { from: 'ACTIVE', to: 'BLOCKED' },
  );
  const { user_id, status } = user;
  const made = (await readKeys(deps.table)).filter(
    (key) => key.created_by === user_id && key.state === 'ACTIVE' && !isExpired(key, deps.clock.now()),
  );
  return {
    user_id,
    status,
    teams: memberships.map(({ team_id, role }) => ({ team_id, role })),
    keys: made.map(toKeyRecord).map(({ key_id, name, team_ids }) => ({ key_id, name, team_ids })),
  };
};

/** Ends the block of an account; one that is not blocked is left as it is. */
export const unblockUser = async (
  deps: Pick<Deps, 'table' | 'clock'>,
  person: PersonRef,
): Promise<Pick<User, 'user_id' | 'status'>> => {
  const { user_id, status } = (await moveUser(deps, person, { from: 'BLOCKED', to: 'ACTIVE' })).user;
  return { user_id, status };
};

interface Move {
  from: User['status'];
  to: User['status'];
}

const moveUser = (
  deps: Pick<Deps, 'table' | 'clock'>,
  person: PersonRef,
  { from, to }: Move,
): Promise<UserWithTeams> =>
  retryOnConflict(async () => {
    const found = await requirePerson(deps.table, person);
    const { user } = found;
    if (user.status === to) return found;
    requireAccount(user);
    const at = nextUpdate(deps.clock, user);
    const set = { status: to, updated_at: at, [to === 'BLOCKED' ? 'blocked_at' : 'unblocked_at']: at };
    await deps.table.transact([change(UserEntity, user, { set }, { when: equals('status', from) })]);
    return { ...found, user: { ...user, ...set } };
  });

/** An invitation is taken over by the first account that verifies its address, so a block would not last. */
const requireAccount = ({ auth0_id, status }: User): void => {
  if (status === 'DELETED') throw new ServiceError('INVALID_STATE_TRANSITION', 'This account was deleted.');
  if (auth0_id === null)
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      'This person has not logged in yet: take them out of their teams with member remove.',
    );
};

/** Returns a person, or throws NOT_FOUND. */
export const requirePerson = async (table: Table, person: PersonRef): Promise<UserWithTeams> => {
  const found = await findPerson(table, person);
  if (!found) throw noSuchUser();
  return found;
};

const findPerson = (table: Table, person: PersonRef): Promise<UserWithTeams | undefined> => {
  if ('email' in person) return readUserByEmail(table, person.email);
  return 'subject' in person ? readUserBySubject(table, person.subject) : readUser(table, person.user_id);
};

const noSuchUser = (): ServiceError => new ServiceError('NOT_FOUND', 'There is no such user.');

/** Who has an address is the provider's to say; while it does not answer, the record here. */
const findOrAdopt = async (deps: Deps, person: PersonRef): Promise<UserWithTeams> => {
  const known = await findPerson(deps.table, person);
  if ('user_id' in person || (known && 'subject' in person)) {
    if (!known) throw noSuchUser();
    return known;
  }
  const account = await accountOf(deps, person, known?.user.auth0_id ?? null).catch((error: unknown) => {
    if (!known) throw error;
    deps.log.warn('account not compared', { user_id: known.user.user_id, cause: String(error) });
    return undefined;
  });
  if (account) return adoptAccount(deps, account);
  if (!known) throw noSuchUser();
  return known;
};

const accountOf = async (
  { identity }: Deps,
  person: { email: string } | { subject: string },
  holder: string | null,
): Promise<IdentityUser | undefined> => {
  if ('subject' in person) return identity().readUser(person.subject);
  const held = holder === null ? undefined : await identity().readUser(holder);
  if (held && normalEmail(held.email) === person.email) return held;
  return identity().findUserByEmail(person.email);
};
