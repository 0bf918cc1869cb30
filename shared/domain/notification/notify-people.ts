import type { Dependencies } from '../../platform/context.ts';
import { runOnce } from '../../platform/events/run-once.ts';
import { writtenLanguage, type WrittenLanguage } from '../../platform/language.ts';
import type { Mail, Mailer } from '../../platform/mail/mailer.ts';
import { listMembers } from '../people/index.ts';

/** The dependencies of sending mails. */
export interface NotificationDependencies extends Pick<Dependencies, 'table' | 'clock'> {
  mailer: Mailer;
}

/**
 * Mails each person once for `eventId` (D66). If some mails fail the others are still sent; then the call throws, and a
 * retry sends only the missing ones.
 */
export const notifyPeople = async <Person extends { ref: string }>(
  deps: NotificationDependencies,
  eventId: string,
  people: readonly Person[],
  mailTo: (person: Person) => Mail,
): Promise<void> => {
  const outcomes = await Promise.allSettled(
    people.map((person) =>
      runOnce(deps, { consumer: 'notification', event_id: eventId, recipient: person.ref }, () =>
        deps.mailer.send(mailTo(person)),
      ),
    ),
  );
  throwIfFailed(outcomes);
};

/** Throws if a mail could not be sent. */
export const throwIfFailed = (outcomes: readonly PromiseSettledResult<unknown>[]): void => {
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `${failures.length} of ${outcomes.length} mails: ${String(failures[0])}`,
    );
};

/** An owner of a team. */
export interface Owner {
  email: string;
  full_name: string;
  language: WrittenLanguage;
}

/** Mails each owner of the teams once for an event, but for the user `except`. */
export const notifyOwners = async (
  deps: NotificationDependencies,
  {
    event_id,
    team_ids,
    except,
  }: { event_id: string; team_ids: readonly number[]; except?: number | undefined },
  mailOf: (owner: Owner) => Mail,
): Promise<void> => {
  const members = await Promise.all(team_ids.map((team) => listMembers(deps, team)));
  const owners = members
    .flat()
    .filter(({ role, state, user_id }) => role === 'OWNER' && state === 'ACTIVE' && user_id !== except);
  const byId = new Map(owners.map((owner) => [owner.user_id, owner]));
  const people = [...byId.values()].map(({ user_id, email, full_name, language }) => ({
    ref: `user:${user_id}`,
    email,
    full_name,
    language: writtenLanguage(language),
  }));
  await notifyPeople(deps, event_id, people, mailOf);
};
