import { createHash } from 'node:crypto';
import type { EventOf } from '../../events.ts';
import type { Dependencies } from '../../platform/context.ts';
import { put } from '../../platform/table/index.ts';
import { hourMs, minuteMs } from '../../platform/time/time.ts';
import { accessOpens, waitsForPayment } from '../booking/index.ts';
import {
  balanceDueAt,
  balanceReminderMs,
  type BookingEventType,
  type Reservation,
} from '../booking/model.ts';
import { type DueMail, DueMailEntity } from './due-mail.entity.ts';

type Deps = Pick<Dependencies, 'table'>;

/** How long before the time to transfer ends its guest and its hosts are reminded (D123). */
export const windowReminderMs = { guest: 24 * hourMs, host: 12 * hourMs } as const;

/** How long a message may be unread before its reader gets a mail (D91). */
export const unreadMs = 15 * minuteMs;

/**
 * Schedules the reminder of a confirmed booking 24 hours before check-in, when the access information opens, or at once
 * if that has passed. Of a guest in house too: the event may come after the check-in. Idempotent.
 */
export const scheduleReminder = async (deps: Deps, stay: Reservation, occurredAt: string): Promise<void> => {
  if (stay.state !== 'CONFIRMED' && stay.state !== 'CHECKED_IN') return;
  const dueAt = Math.max(accessOpens(stay), Date.parse(occurredAt));
  await schedule(deps, { kind: 'reminder', id: stay.reservation_id, due_at: dueAt });
};

/** Schedules the reminders of the balance of a payment plan that are still to come (D129). Idempotent. */
export const scheduleBalanceReminders = async (
  deps: Deps,
  stay: Reservation,
  occurredAt: string,
): Promise<void> => {
  const dueAt = stay.state === 'CONFIRMED' && !isOnArrival(stay) ? balanceDueAt(stay) : undefined;
  if (dueAt === undefined) return;
  const times = balanceReminderMs.map((ms) => dueAt - ms).filter((time) => time > Date.parse(occurredAt));
  for (const time of times) await schedule(deps, { kind: 'balance', id: stay.reservation_id, due_at: time });
};

/**
 * Schedules the reminders before the time for a bank transfer ends (D123): of the guest 24 hours, of the host 12 hours before, if
 * that is still to come. Idempotent.
 */
export const scheduleWindowReminders = async (
  deps: Deps,
  stay: Reservation,
  occurredAt: string,
): Promise<void> => {
  const { payment_method, pay_until: until, reservation_id: id } = stay;
  if (payment_method !== 'BANK_TRANSFER' || until === undefined || !waitsForPayment(stay)) return;
  const times = Object.values(windowReminderMs).map((ms) => until - ms);
  for (const time of times.filter((one) => one > Date.parse(occurredAt)))
    await schedule(deps, { kind: 'window', id, due_at: time });
};

const isOnArrival = ({ plan }: Reservation): boolean => plan?.hours_before === 0;

/** Schedules a mail about a message that may stay unread. */
export const scheduleUnread = async (
  deps: Deps,
  { data, occurred_at }: EventOf<'chat.message_created'>,
): Promise<void> => {
  const { thread_id } = data;
  if (thread_id === undefined) return;
  await schedule(deps, { kind: 'messages', id: thread_id, due_at: Date.parse(occurred_at) + unreadMs });
};

/** Has an address that is new to a booking get the messages that the one before may not have read (D146). Idempotent. */
export const scheduleMessages = (
  deps: Deps,
  { data, occurred_at }: Pick<EventOf<BookingEventType>, 'data' | 'occurred_at'>,
): Promise<void> => schedule(deps, { kind: 'messages', id: data.id, due_at: Date.parse(occurred_at) });

/** Puts the mails of an event off to the turn of the first that waits (D110). Idempotent. */
export const scheduleEvent = async (
  deps: Deps,
  { id: eventId, data }: Pick<EventOf<BookingEventType>, 'id' | 'data'>,
  turn: number | undefined,
): Promise<void> => {
  if (turn === undefined) return;
  const id = createHash('sha256').update(eventId).digest().readUIntBE(0, 6);
  await schedule(deps, { kind: 'event', id, due_at: turn, event_id: eventId, booking_id: data.id });
};

const schedule = ({ table }: Deps, due: DueMail): Promise<void> => table.put(put(DueMailEntity, due));
