import { type DueItem, type DueList, dueShardOf } from '../../platform/due/due-list.ts';
import { defineEntity } from '../../platform/table/entity.ts';

/** A mail that has its own time: the reminder of a booking, or news of messages that may stay unread (D91). */
export interface DueMail extends DueItem {
  kind: 'reminder' | 'messages';
  /** The booking, which is the thread too. */
  id: number;
}

const partition = 'DUE_MAILS';

export const DueMailEntity = defineEntity<DueMail, DueMail>({
  name: 'DueMail',
  meaning: 'A mail that is to be written at its time if it is still true then.',
  patterns: ['the mails whose time has come (16 shards by the id)'],
  key: {
    pk: `${partition}#{shard}`,
    sk: '{due_at:sortable}#{id}#{kind}',
    derived: { shard: ({ id }) => dueShardOf(id) },
  },
  example: { due_at: 1_800_000_000_000, id: 17, kind: 'reminder' },
});

export const dueMails: DueList<DueMail> = { partition, entity: DueMailEntity };
