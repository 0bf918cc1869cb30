import { defineEntity } from '../table/index.ts';

/** The unit that is handled once: an event by a consumer, or by a consumer for one recipient. */
export interface Handling {
  consumer: string;
  event_id: string;
  /** Null if the consumer handles the event as a whole. */
  recipient: string | null;
}

/** The mark that a consumer has handled an event, or has claimed it (D61, D66). */
export interface HandledEvent extends Handling {
  state: 'CLAIMED' | 'DONE';
  /** The random id of the attempt that holds the claim. */
  claim: string | null;
  /** When the claim expires, in epoch milliseconds; null once done. */
  claimed_until: number | null;
  /** Epoch milliseconds. */
  marked_at: number;
}

const keptSeconds = 30 * 86_400;

export const HandledEventEntity = defineEntity<HandledEvent, Handling>({
  name: 'HandledEvent',
  meaning: 'That a consumer has handled an event, kept longer than any queue can deliver it again.',
  patterns: ['did this consumer handle this event (for this person) before?'],
  key: { pk: 'HANDLED#{event_id}', sk: '{consumer}#{recipient}' },
  expiresAt: ({ marked_at }) => Math.ceil(marked_at / 1000) + keptSeconds,
  example: { consumer: 'notification', event_id: 'evt_1', recipient: 'user:1' },
});
