import { defineEntity } from '../table/index.ts';

/** What is handled once: an event by a consumer, and where each person is a matter of its own, for that person. */
export interface Handling {
  consumer: string;
  event_id: string;
  /** Null where the consumer handles the event as a whole. */
  recipient: string | null;
}

/** The mark that a consumer has handled an event, or is about to (D61, D66). */
export interface HandledEvent extends Handling {
  state: 'CLAIMED' | 'DONE';
  /** Who claimed it: a name for one attempt. */
  claim: string | null;
  /** Epoch milliseconds until which nobody else may try; null once done. */
  claimed_until: number | null;
  /** Epoch milliseconds. */
  marked_at: number;
}

const keptSeconds = 30 * 86_400;

export const HandledEventEntity = defineEntity<HandledEvent, Handling>({
  name: 'HandledEvent',
  meaning: 'That a consumer has handled an event, kept longer than any queue can deliver it again.',
  patterns: ['did this consumer handle this event (for this person) before?'],
  key: ({ consumer, event_id, recipient }) => ({
    pk: `HANDLED#${event_id}`,
    sk: `${consumer}#${recipient ?? ''}`,
  }),
  expiresAt: ({ marked_at }) => Math.ceil(marked_at / 1000) + keptSeconds,
  example: { consumer: 'notification', event_id: 'evt_1', recipient: 'user:1' },
});
