import { defineEntity } from '../table/index.ts';
import type { EventMessage } from './event-message.ts';

/** Something that happened, written in the same transaction as the change itself (D61): the outbox and the history in one. */
export interface DomainEvent extends EventMessage {
  /** The partition of what it happened to, e.g. `ORDER#…`: a booking's events are its history. */
  subject: string;
}

export const EventEntity = defineEntity<DomainEvent, Pick<DomainEvent, 'subject' | 'id'>>({
  name: 'Event',
  meaning: 'An event of a record; new ones leave through the table stream.',
  patterns: ['the history of a record, oldest first', 'the outbox (table stream)'],
  key: ({ subject, id }) => ({ pk: subject, sk: `EVENT#${id}` }),
  example: { subject: 'ORDER#16', id: 'evt_1' },
});
