import * as z from 'zod';
import { defineEntity, defineRecord, type RecordOf } from '../table/index.ts';

/** The mark that a consumer has handled an event, or has claimed it (D61, D66). */
const HandledEventRecord = defineRecord(() => ({
  consumer: z.string(),
  event_id: z.string(),
  /** Null if the consumer handles the event as a whole. */
  recipient: z.string().nullable(),
  state: z.enum(['CLAIMED', 'DONE']),
  /** The random id of the attempt that holds the claim. */
  claim: z.string().nullable(),
  /** When the claim expires, in epoch milliseconds; null once done. */
  claimed_until: z.int().nullable(),
  /** Epoch milliseconds. */
  marked_at: z.int(),
}));
export type HandledEvent = RecordOf<typeof HandledEventRecord>;

/** The unit that is handled once: an event by a consumer, or by a consumer for one recipient. */
export type Handling = Pick<HandledEvent, 'consumer' | 'event_id' | 'recipient'>;

const keptSeconds = 30 * 86_400;

export const HandledEventEntity = defineEntity<HandledEvent, Handling>({
  name: 'HandledEvent',
  meaning: 'That a consumer has handled an event, kept longer than any queue can deliver it again.',
  patterns: ['did this consumer handle this event (for this person) before?'],
  record: HandledEventRecord,
  key: { pk: 'HANDLED#{event_id}', sk: '{consumer}#{recipient}' },
  expiresAt: ({ marked_at }) => Math.ceil(marked_at / 1000) + keptSeconds,
  example: { consumer: 'notification', event_id: 'evt_1', recipient: 'user:1' },
});
