import type { EventOf } from '../../events.ts';
import { actingTeam, callerRef, type UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context, Dependencies } from '../../platform/context.ts';
import { AlreadyHandled, unlessHandled } from '../../platform/events/run-once.ts';
import { localTimeText, moneyText, writtenLanguage } from '../../platform/text/language.ts';
import type { PageOf } from '../../platform/schema/schema.ts';
import {
  change,
  create,
  equals,
  paginate,
  readOf,
  remove,
  retryOnConflict,
  type Table,
} from '../../platform/table/index.ts';
import { guestRef, isOfPlatform, type Reservation, reservationRead } from '../booking/model.ts';
import type { ChatThread, ListThreadsQuery } from './chat.schema.ts';
import {
  ChatMarkEntity,
  guestThreads,
  markPrefix,
  type Message,
  MessageEntity,
  messagePrefix,
  previewOf,
  presentThread,
  teamThreads,
  threadPartition,
  type Thread,
  ThreadEntity,
} from './chat.store.ts';

/** Returns the text of a thread's first message: a summary of the booking in the guest's language (D65). */
const bookingSummary = (reservation: Reservation): string => {
  const language = writtenLanguage(reservation.guest.language);
  const { reservation_id, listing_name, nights, guest_number } = reservation;
  const checkIn = localTimeText(reservation.start_at, language);
  const checkOut = localTimeText(reservation.end_at, language);
  const total = moneyText(reservation.total, reservation.currency, language);
  if (language === 'en')
    return [
      `Booking ${reservation_id}: ${listing_name}`,
      `Check-in: ${checkIn}`,
      `Check-out: ${checkOut}${nights === 0 ? '' : ` (${nights} ${nights === 1 ? 'night' : 'nights'})`}`,
      `Guests: ${guest_number}`,
      `Total: ${total}`,
    ].join('\n');
  return [
    `Đặt phòng ${reservation_id}: ${listing_name}`,
    `Nhận phòng: ${checkIn}`,
    `Trả phòng: ${checkOut}${nights === 0 ? '' : ` (${nights} đêm)`}`,
    `Số khách: ${guest_number}`,
    `Tổng tiền: ${total}`,
  ].join('\n');
};

/**
 * Returns the first message of a stay's thread (D65). Its id is the stay's, which is before those of all messages: written
 * again it is the same one.
 */
export const openingMessage = (reservation: Reservation): Message => ({
  thread_id: reservation.reservation_id,
  message_id: reservation.reservation_id,
  sender_type: 'SYSTEM',
  sender_id: null,
  sender_name: 'Nightlatch',
  text: bookingSummary(reservation),
  created_at: reservation.created_at,
});

/** Returns the thread of a stay, in which no one has written. */
export const newThread = ({ clock }: Pick<Dependencies, 'clock'>, reservation: Reservation): Thread => ({
  thread_id: reservation.reservation_id,
  booking_id: reservation.reservation_id,
  master_reservation_id: reservation.order_id,
  team_id: reservation.team_id,
  listing_id: reservation.listing_id,
  listing_name: reservation.listing_name,
  ...(isOfPlatform(reservation) ? { of_platform: true } : {}),
  guest: { user_id: reservation.guest.user_id, full_name: reservation.guest.full_name },
  last_message: previewOf(openingMessage(reservation)),
  is_unopened: true,
  created_at: instantText(clock.now()),
  version: 1,
});

const missing = (id: number): Error => new Error(`the booking ${id} does not exist`);

/** Returns a stay whose thread there is. */
export const requireStay = async (table: Table, id: number): Promise<Reservation> => {
  const [reservation] = await table.getAll([reservationRead(id)]);
  if (!reservation) throw missing(id);
  return reservation;
};

/** Creates the threads of new bookings (D65), each once: no thread is ever deleted. */
export const openThreads = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  events: readonly EventOf<'booking.created'>[],
): Promise<void> => {
  const ids = [...new Set(events.map(({ data }) => data.id))];
  const found = await deps.table.getAll(ids.map(reservationRead));
  await Promise.all(
    ids.map((id, at) => {
      const reservation = found[at];
      if (!reservation) throw missing(id);
      const thread = create(ThreadEntity, newThread(deps, reservation), () => new AlreadyHandled());
      return unlessHandled(() => deps.table.put(thread));
    }),
  );
};

/**
 * Has the thread of a stay name its home (D84) and its guest (D146) as the stay does now. Idempotent, in any order; a thread that is
 * not open yet is opened.
 */
export const followStay = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  { data }: EventOf<'booking.changed' | 'booking.guest_updated'>,
): Promise<void> => {
  const { id } = data;
  const isNamedAnew =
    'was' in data
      ? data.was.listing_id !== data.now?.listing_id
      : 'fields' in data && data.fields.includes('full_name');
  if (isNamedAnew)
    await retryOnConflict(async () => {
      // Before the stay: then no thread that names a later home is overwritten by what was read of an earlier one.
      const thread = await deps.table.get(ThreadEntity, { thread_id: id });
      const reservation = await requireStay(deps.table, id);
      const renewed = newThread(deps, reservation);
      if (!thread) return deps.table.put(create(ThreadEntity, renewed));
      const { version } = thread;
      const { listing_id, listing_name, guest } = renewed;
      const set = { listing_id, listing_name, guest, version: version + 1 };
      await deps.table.transact([
        change(ThreadEntity, thread, { set }, { when: equals('version', version) }),
      ]);
    });
  if ('fields' in data && data.fields.includes('email')) await forgetEarlierAddress(deps.table, id);
};

/** Removes how far an earlier address of a guest without an account has read a thread: nothing else knows it. */
const forgetEarlierAddress = async (table: Table, id: number): Promise<void> => {
  const { guest } = await requireStay(table, id);
  const marks = await table.queryAll(ChatMarkEntity, { pk: threadPartition(id), prefix: markPrefix });
  const earlier = marks.filter(({ reader }) => reader.startsWith('mail:') && reader !== guestRef(guest));
  if (earlier.length > 0) await table.transact(earlier.map((mark) => remove(ChatMarkEntity, mark)));
};

/** Returns the threads of the caller's stays, or of the acting host team, by last message (D65). */
export const listThreads = async (
  ctx: Context<UserCaller>,
  query: ListThreadsQuery,
): Promise<PageOf<ChatThread>> => {
  const source = isHost(ctx, query)
    ? { index: 'by_team' as const, pk: teamThreads(actingTeam(ctx.caller, ctx.teamHeader, 'read')) }
    : { index: 'by_audience' as const, pk: guestThreads(ctx.caller.user_id) };
  const found = await paginate(ctx.table, ThreadEntity, { ...source, descending: true }, query);
  return { ...found, items: found.items.map(presentThread) };
};

/** How many threads of a team are looked at for unread ones. */
const mostRecent = 100;

/**
 * Returns the threads, of the last written ones of a team, that end with a message of the guest which the caller has not
 * read, the last written first. Without an access check.
 */
export const unreadThreads = async (
  { table, caller }: Pick<Context, 'table' | 'caller'>,
  teamId: number,
): Promise<ChatThread[]> => {
  const source = { index: 'by_team' as const, pk: teamThreads(teamId), descending: true };
  const { items } = await table.query(ThreadEntity, { ...source, limit: mostRecent });
  const ofGuests = items.filter(({ last_message: { sender_type } }) =>
    ['GUEST', 'PARTNER'].includes(sender_type),
  );
  const reader = callerRef(caller);
  const [marks, last] = await Promise.all([
    table.getAll(
      ofGuests.map(({ thread_id }) => readOf(ChatMarkEntity, { thread_id, reader, what: 'READ' as const })),
      { consistent: false },
    ),
    Promise.all(ofGuests.map(({ thread_id }) => lastMessageId(table, thread_id))),
  ]);
  return ofGuests.filter((_, at) => (marks[at]?.until ?? 0) < (last[at] ?? 0)).map(presentThread);
};

const lastMessageId = async (table: Table, threadId: number): Promise<number | undefined> => {
  const latest = { prefix: messagePrefix, descending: true, limit: 1, consistent: false };
  const { items } = await table.query(MessageEntity, { pk: threadPartition(threadId), ...latest });
  return items[0]?.message_id;
};

const isHost = ({ caller, teamHeader }: Context<UserCaller>, query: ListThreadsQuery): boolean =>
  query.as === undefined
    ? teamHeader !== undefined || caller.memberships.some(({ role }) => role !== 'CUSTOMER')
    : query.as === 'host';
