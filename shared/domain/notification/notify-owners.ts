import { writtenLanguage, type WrittenLanguage } from '../../platform/language.ts';
import { listMembers } from '../team/index.ts';
import type { Mail } from './mail.ts';
import type { NotificationDependencies } from './notification-dependencies.ts';
import { notifyPeople } from './notify-people.ts';

/** An owner of a team, in the language that the person reads. */
export interface Owner {
  email: string;
  full_name: string;
  language: WrittenLanguage;
}

/** Writes to the owners of teams, each of them once for an event, whatever happens to the others. */
export const notifyOwners = async (
  deps: NotificationDependencies,
  { event_id, team_ids }: { event_id: string; team_ids: readonly number[] },
  mailOf: (owner: Owner) => Mail,
): Promise<void> => {
  const members = await Promise.all(team_ids.map((team) => listMembers(deps, team)));
  const owners = members.flat().filter(({ role, state }) => role === 'OWNER' && state === 'ACTIVE');
  const byId = new Map(owners.map((owner) => [owner.user_id, owner]));
  const people = [...byId.values()].map(({ user_id, email, full_name, language }) => ({
    ref: `user:${user_id}`,
    email,
    full_name,
    language: writtenLanguage(language),
  }));
  await notifyPeople(deps, event_id, people, mailOf);
};
