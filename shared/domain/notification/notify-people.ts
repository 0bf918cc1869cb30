import { runOnce } from '../../platform/events/handle-once.ts';
import type { Mail } from './mail.ts';
import type { NotificationDependencies } from './notification-dependencies.ts';

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
