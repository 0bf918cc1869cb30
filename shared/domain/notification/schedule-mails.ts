import type { EventOf } from '../../events.ts';
import type { Dependencies } from '../../platform/context.ts';
import { put } from '../../platform/table/index.ts';
import { accessOpens } from '../booking/index.ts';
import type { Reservation } from '../booking/model.ts';
import { type DueMail, DueMailEntity } from './due-mail.entity.ts';

type Deps = Pick<Dependencies, 'table'>;

/** So long a message may be unread before its reader gets a mail (D91). */
export const unreadMs = 15 * 60_000;

/**
 * Has a confirmed booking reminded of 24 hours before check-in, when the guest may read how to enter; of one that is nearer, at
 * once. An event that comes again puts the same item.
 */
export const scheduleReminder = async (deps: Deps, stay: Reservation, occurred_at: string): Promise<void> => {
  if (stay.state !== 'CONFIRMED') return;
  const due_at = Math.max(accessOpens(stay), Date.parse(occurred_at));
  await schedule(deps, { kind: 'reminder', id: stay.reservation_id, due_at });
};

/** Has a message looked at when it may be unread for too long; the service's own are no news. */
export const scheduleUnread = async (
  deps: Deps,
  { data, occurred_at }: EventOf<'chat.message_created'>,
): Promise<void> => {
  const { thread_id, sender_type } = data;
  if (sender_type === 'SYSTEM' || thread_id === undefined) return;
  await schedule(deps, { kind: 'messages', id: thread_id, due_at: Date.parse(occurred_at) + unreadMs });
};

const schedule = ({ table }: Deps, due: DueMail): Promise<void> => table.put(put(DueMailEntity, due));
