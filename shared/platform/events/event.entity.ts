import { defineEntity } from '../table/index.ts';
import type { EventType } from './event-types.ts';

/** Something that happened, written in the same transaction as the change itself (D61): the outbox and the history in one. */
export interface DomainEvent {
  /** The partition of what it happened to, e.g. `ORDER#…`: a booking's events are its history. */
  subject: string;
  id: string;
  event_type: EventType;
  /** UTC. */
  occurred_at: string;
  team_id: number | null;
  /** Who did it: `user:<id>`, `key:<id>` or `system:<what>`. */
  actor: string;
  /** `data.id` is the id of the booking, listing or other record. */
  data: { id: number } & Record<string, unknown>;
}

export const EventEntity = defineEntity<DomainEvent, Pick<DomainEvent, 'subject' | 'id'>>({
  name: 'Event',
  meaning: 'An event of a record; new ones leave through the table stream.',
  patterns: ['the history of a record, oldest first', 'the outbox (table stream)'],
  key: ({ subject, id }) => ({ pk: subject, sk: `EVENT#${id}` }),
  example: { subject: 'ORDER#16', id: 'evt_1' },
});
