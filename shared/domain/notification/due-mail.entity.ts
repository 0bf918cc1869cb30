import * as z from 'zod';
import { dueFields, type DueList, dueShardOf } from '../../platform/due/due-list.ts';
import { defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';

/**
 * A mail at a set time: the reminder of a booking, messages that may still be unread, a change or what is due to be paid, a deposit to be authorised (D84, D91, D123, D127, D129, D131), or the mails
 * of an event that wait for their turn (D110).
 */
const DueMailRecord = defineRecord(() => ({
  ...dueFields(),
  kind: z.enum([
    'reminder',
    'messages',
    'change_to_pay',
    'due_to_pay',
    'balance',
    'deposit',
    'window',
    'event',
    'outage',
  ]),
  /** The booking, which is also the thread; of an event or an outage a number of its own. */
  id: z.int(),
  /** Of an event: its id, and its booking. */
  event_id: z.string().exactOptional(),
  booking_id: z.int().exactOptional(),
  /** Of an outage: the team, and the host name of the platform (D118). */
  team_id: z.int().exactOptional(),
  host: z.string().exactOptional(),
}));
export type DueMail = RecordOf<typeof DueMailRecord>;

const partition = 'DUE_MAILS';

export const DueMailEntity = defineEntity<DueMail, DueMail>({
  name: 'DueMail',
  meaning: 'A mail that is to be written at its time if it is still true then.',
  patterns: ['the mails whose time has come (16 shards by the id)'],
  record: DueMailRecord,
  key: {
    pk: `${partition}#{shard}`,
    sk: '{due_at:sortable}#{id}#{kind}',
    derived: { shard: ({ id }) => dueShardOf(id) },
  },
  example: { due_at: 1_800_000_000_000, id: 17, kind: 'reminder' },
});

export const dueMails: DueList<DueMail> = { partition, entity: DueMailEntity };
