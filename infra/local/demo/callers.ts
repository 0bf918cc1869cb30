import type { PartnerCaller, UserCaller } from '../../../shared/platform/auth.ts';
import { type Context, type Dependencies, systemContext } from '../../../shared/platform/context.ts';

/** A demo person as the authorizer returns one. */
export type Person = Pick<UserCaller, 'user_id' | 'email' | 'full_name' | 'phone' | 'memberships'> &
  Partial<Pick<UserCaller, 'language'>>;

/** What the records of the examples are made with. */
export interface ExampleStage {
  deps: Dependencies;
  host: Person;
  guest: Person;
  partner: { key_id: number; team_ids: number[] };
  apiUrl: string;
}

export const asUser = (deps: Dependencies, person: Person): Context<UserCaller> => {
  const caller: UserCaller = {
    kind: 'user',
    subject: 'demo',
    language: 'vi',
    email_verified: true,
    system_role: 'USER',
    ...person,
  };
  return { ...systemContext(deps, 'demo'), caller, teamHeader: person.memberships[0]?.team_id };
};

export const asPartner = (
  deps: Dependencies,
  { key_id, team_ids }: Pick<PartnerCaller, 'key_id' | 'team_ids'>,
): Context<PartnerCaller> => ({
  ...systemContext(deps, 'demo'),
  caller: { kind: 'partner', key_id, team_ids, collects_payment: false, rate_limit: null },
});

/** Dependencies at another time, with the ids of the next records. */
export const depsAt = (deps: Dependencies, now: number, ...ids: number[]): Dependencies => {
  const next = [...ids];
  return { ...deps, clock: { now: () => now, nextId: () => next.shift() } };
};
