import type { Dependencies } from '../../platform/context.ts';
import { runOnce } from '../../platform/events/run-once.ts';
import type { Mail, Mailer } from '../../platform/mail/mailer.ts';
import { cannotReceive } from '../../platform/mail/cannot-receive.ts';
import { recordDroppedMail } from '../../platform/metrics/index.ts';
import { takeTurn } from './mail-turns.store.ts';

/** The dependencies of sending mails. */
export interface NotificationDependencies extends Pick<Dependencies, 'table' | 'clock' | 'log' | 'sealing'> {
  mailer: Mailer;
  /** The address of the pages of guests; without it mails have no link to one. */
  pages?: string | undefined;
}

/** A mail to one person. */
interface Letter {
  /** What it is about: the person gets one mail of it. */
  once: string;
  person: { ref: string; email: string };
  /** On whose behalf it is sent, if it counts (D110); absent: sent at once. */
  by?: readonly string[] | undefined;
  mail: () => Mail;
}

/** The limits of its address, or of a key, allow the mail at a later time (D110). */
class MailWaits extends Error {
  /** Epoch milliseconds. */
  readonly until: number;

  constructor(until: number) {
    super('the mail waits for its turn');
    this.name = 'MailWaits';
    this.until = until;
  }
}

/**
 * Sends a mail once for each person (D66). Returns false if an earlier call has; throws {@link MailWaits} if it is not its turn, and
 * drops it if its turn would come too late (D110).
 */
export const sendOnce = (
  deps: NotificationDependencies,
  { once, person, by, mail }: Letter,
): Promise<boolean> =>
  runOnce(deps, { consumer: 'notification', event_id: once, recipient: person.ref }, async () => {
    if (by && !cannotReceive(person.email)) {
      const turn = await takeTurn(deps, { once, email: person.email, by });
      if (turn === undefined) {
        recordDroppedMail(by.join(' '));
        return;
      }
      if (turn > deps.clock.now()) throw new MailWaits(turn);
    }
    await deps.mailer.send(mail());
  });

type Outcomes = readonly PromiseSettledResult<unknown>[];

/** Returns when the first of the mails that wait has its turn; undefined: none waits. */
export const firstTurn = (outcomes: Outcomes): number | undefined => {
  const turns = reasonsOf(outcomes).flatMap((reason) => (reason instanceof MailWaits ? [reason.until] : []));
  return turns.length === 0 ? undefined : Math.min(...turns);
};

/** Throws if a mail could not be sent. */
export const throwIfFailed = (outcomes: Outcomes): void => {
  const failures = reasonsOf(outcomes).filter((reason) => !(reason instanceof MailWaits));
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `${failures.length} of ${outcomes.length} mails: ${String(failures[0])}`,
    );
};

const reasonsOf = (outcomes: Outcomes): unknown[] =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
