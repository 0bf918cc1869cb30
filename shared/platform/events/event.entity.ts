import { defineEntity } from '../table/index.ts';
import type { EventMessage } from './event-message.ts';

/** An event, written in the transaction of the change (D61). It is outbox and history in one. */
export interface DomainEvent extends EventMessage {
  /** The partition key of the record, e.g. `ORDER#…`: the events of a booking are its history. */
  subject: string;
}

export const EventEntity = defineEntity<DomainEvent, Pick<DomainEvent, 'subject' | 'id'>>({
  name: 'Event',
  meaning: 'An event of a record; new ones leave through the table stream.',
  patterns: ['the history of a record, oldest first', 'the outbox (table stream)'],
  key: { pk: '{subject}', sk: 'EVENT#{id}' },
  example: { subject: 'ORDER#16', id: 'evt_1' },
});
