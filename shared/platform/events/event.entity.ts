import * as z from 'zod';
import { defineEntity, defineRecord, type RecordOf } from '../table/index.ts';

/** An event, written in the transaction of the change (D61). It is outbox and history in one. */
const DomainEventRecord = defineRecord(() => ({
  /** The partition key of the record, e.g. `ORDER#…`: the events of a booking are its history. */
  subject: z.string(),
  id: z.string(),
  event_type: z.string(),
  occurred_at: z.string(),
  team_id: z.int().nullable(),
  actor: z.string(),
  data: z.looseObject({ id: z.int() }),
}));
export type DomainEvent = RecordOf<typeof DomainEventRecord>;

export const EventEntity = defineEntity<DomainEvent, Pick<DomainEvent, 'subject' | 'id'>>({
  name: 'Event',
  meaning: 'An event of a record; new ones leave through the table stream.',
  patterns: ['the history of a record, oldest first', 'the outbox (table stream)'],
  record: DomainEventRecord,
  key: { pk: '{subject}', sk: 'EVENT#{id}' },
  example: { subject: 'ORDER#16', id: 'evt_1' },
});
