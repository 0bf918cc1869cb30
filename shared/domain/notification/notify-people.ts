import type { Dependencies } from '../../platform/context.ts';
import { runOnce } from '../../platform/events/handle-once.ts';
import { writtenLanguage, type WrittenLanguage } from '../../platform/language.ts';
import { listMembers } from '../people/index.ts';
import type { Mail, Mailer } from './mail-layout.ts';

/** What mails are written with. */
export interface NotificationDependencies extends Pick<Dependencies, 'table' | 'clock'> {
  mailer: Mailer;
}

/**
 * Writes to each of the people once for what `event_id` names (D66). One person's failure keeps no other's mail back: the
 * call fails, and the next one writes to those alone who have none yet.
 */
export const notifyPeople = async <Person extends { ref: string }>(
  deps: NotificationDependencies,
  event_id: string,
  people: readonly Person[],
  mailTo: (person: Person) => Mail,
): Promise<void> => {
  const outcomes = await Promise.allSettled(
    people.map((person) =>
      runOnce(deps, { consumer: 'notification', event_id, recipient: person.ref }, () =>
        deps.mailer.send(mailTo(person)),
      ),
    ),
  );
  failTogether(outcomes);
};

/** Throws when one of the mails could not be sent. */
export const failTogether = (outcomes: readonly PromiseSettledResult<unknown>[]): void => {
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `${failures.length} of ${outcomes.length} mails: ${String(failures[0])}`,
    );
};

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
