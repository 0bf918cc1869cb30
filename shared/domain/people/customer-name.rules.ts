import type { Membership, User, UserWithTeams } from './user.store.ts';

/** What a partner may change of a customer. */
export type CustomerName = Pick<User, 'full_name' | 'phone'>;

/** Names of a customer by the team that has another one than the person's own (D107). */
export type CustomerNames = ReadonlyMap<number, CustomerName>;

/** A team's name of a customer stands while the person's own is the one that it replaced. */
const nameIn = (own: CustomerName, teams: readonly Membership[]): CustomerName => ({
  full_name:
    teams.find((team) => team.full_name !== undefined && team.replaced_full_name === own.full_name)
      ?.full_name ?? own.full_name,
  phone:
    teams.find((team) => team.phone !== undefined && team.replaced_phone === own.phone)?.phone ?? own.phone,
});

/** Returns name and telephone number of a customer as these teams see them (D107). */
export const nameForTeams = (
  { user: { full_name, phone }, memberships }: UserWithTeams,
  teamIds: readonly number[],
): CustomerName =>
  nameIn(
    { full_name, phone },
    memberships.filter(({ team_id }) => teamIds.includes(team_id)),
  );

/** Returns the names of a customer in the teams that have another one. */
export const namesOf = ({ user: { full_name, phone }, memberships }: UserWithTeams): CustomerNames => {
  const own = { full_name, phone };
  const names = memberships
    .filter(({ role, state }) => role === 'CUSTOMER' && state === 'ACTIVE')
    .map((membership) => [membership.team_id, nameIn(own, [membership])] as const);
  return new Map(names.filter(([, name]) => name.full_name !== full_name || name.phone !== phone));
};

/** Whether a person is a customer of these teams and nothing else: then their partner keeps the person's record (D107). */
export const isCustomerOnly = ({ user, memberships }: UserWithTeams, teamIds: readonly number[]): boolean =>
  user.system_role === 'USER' &&
  memberships.every(({ team_id, role }) => role === 'CUSTOMER' && teamIds.includes(team_id));

/** Returns the attributes of a membership whose team has this name; with `own` undefined, those that remove it. */
export const replacedName = (
  given: Partial<CustomerName>,
  own: CustomerName | undefined,
): Partial<Record<'full_name' | 'replaced_full_name' | 'phone' | 'replaced_phone', string | undefined>> => ({
  ...(given.full_name === undefined
    ? {}
    : { full_name: own && given.full_name, replaced_full_name: own?.full_name }),
  ...(given.phone === undefined ? {} : { phone: own && given.phone, replaced_phone: own?.phone }),
});
