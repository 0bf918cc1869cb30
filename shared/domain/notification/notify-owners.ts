import { runOnce } from '../../platform/events/handle-once.ts';
import { writtenLanguage, type WrittenLanguage } from '../../platform/language.ts';
import { listMembers } from '../team/index.ts';
import type { Mail } from './mail.ts';
import type { NotificationDependencies } from './notify-booking.ts';

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
  const outcomes = await Promise.allSettled(
    [...byId.values()].map(({ user_id, email, full_name, language }) =>
      runOnce(deps, { consumer: 'notification', event_id, recipient: `user:${user_id}` }, () =>
        deps.mailer.send(mailOf({ email, full_name, language: writtenLanguage(language) })),
      ),
    ),
  );
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed)
    throw new Error(`a mail could not be sent: ${String((failed as PromiseRejectedResult).reason)}`);
};
