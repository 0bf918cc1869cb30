import type { Newcomer, Newcomers } from '../identity/newcomers.ts';
import type { Item } from '../../memory/values.ts';
import type { Town } from '../town.ts';

interface User {
  user_id: number;
  email: string;
  status: string;
}

interface Membership {
  user_id: number;
  team_id: number;
  role: string;
  state: string;
}

const of = <Type>(items: readonly Item[], entity: string): Type[] =>
  items.filter((item) => item['entity'] === entity) as Type[];

/** Everyone logs in when all is quiet: one user for each person, with what was granted and nothing else. */
export const peopleProblems = async (
  town: Town,
  newcomers: Newcomers,
  items: () => readonly Item[],
): Promise<string[]> => {
  const problems: string[] = [];
  for (const person of newcomers.people) {
    const reply = await newcomers.enter(person);
    if (reply?.status !== 200) problems.push(`${person.name} cannot log in: ${reply?.status} ${reply?.text}`);
  }
  const users = of<User>(items(), 'User').filter(({ status }) => status === 'ACTIVE');
  const memberships = of<Membership>(items(), 'Membership');
  for (const person of newcomers.people) problems.push(...personProblems(town, person, users, memberships));
  return [...problems, ...strangers(town, newcomers, users, memberships)];
};

const personProblems = (
  town: Town,
  { name, email, userIds, roles }: Newcomer,
  users: readonly User[],
  memberships: readonly Membership[],
): string[] => {
  const own = users.filter((user) => user.email === email);
  const ids = new Set([...userIds, ...own.map(({ user_id }) => user_id)]);
  if (own.length !== 1 || ids.size !== 1)
    return [`${name} is ${own.length} users, and was answered as ${[...userIds].join()}`];
  return town.hosts.flatMap(({ team }) => {
    const wanted = roles.get(team!) ?? 'CUSTOMER';
    const found = memberships.find((one) => ids.has(one.user_id) && one.team_id === team);
    return found?.role === wanted && found.state === 'ACTIVE'
      ? []
      : [`${name} is ${found?.role} ${found?.state} in ${team}, not ${wanted}`];
  });
};

/** Roles of hosts in the town's teams that were never granted. */
const strangers = (
  { hosts }: Town,
  { people }: Newcomers,
  users: readonly User[],
  memberships: readonly Membership[],
): string[] =>
  memberships
    .filter(({ role, team_id }) => role !== 'CUSTOMER' && hosts.some(({ team }) => team === team_id))
    .filter(({ user_id, team_id }) => {
      const email = users.find((user) => user.user_id === user_id)?.email ?? '';
      const isOwner = hosts.some(
        ({ token, team }) => team === team_id && email.startsWith(`${token?.slice(6)}@`),
      );
      return !isOwner && !people.some((one) => one.email === email && one.roles.has(team_id));
    })
    .map(({ user_id, team_id, role }) => `user ${user_id} is ${role} in ${team_id}, which was never granted`);
