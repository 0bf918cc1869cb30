import type { EventOf } from '../../events.ts';
import { actingTeam, type UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context, Dependencies } from '../../platform/context.ts';
import { AlreadyHandled, commitOnce } from '../../platform/events/handle-once.ts';
import { newId, orderIdOf } from '../../platform/ids.ts';
import { localTimeText, moneyText, writtenLanguage } from '../../platform/language.ts';
import type { PageOf } from '../../platform/schema.ts';
import { create, paginate, type Write } from '../../platform/table/index.ts';
import { type Reservation, ReservationEntity } from '../booking/model.ts';
import type { ChatThread, ListThreadsQuery } from './chat.schema.ts';
import {
  guestThreads,
  type Message,
  messageWrites,
  previewOf,
  presentThread,
  teamThreads,
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

const actor = 'system:chat';

/** Returns the thread of a booking with the writes of its first message (D65). */
export const newThread = (
  { clock }: Pick<Dependencies, 'clock'>,
  reservation: Reservation,
): { thread: Thread; writes: Write[] } => {
  const message: Message = {
    thread_id: reservation.reservation_id,
    message_id: newId(clock),
    sender_type: 'SYSTEM',
    sender_id: null,
    sender_name: 'Nightlatch',
    text: bookingSummary(reservation),
    created_at: instantText(clock.now()),
  };
  const thread = threadOf(reservation, message);
  const ctx = { clock, caller: { kind: 'anonymous' } } as const;
  return { thread, writes: messageWrites(ctx, thread, message, actor) };
};

const threadOf = (reservation: Reservation, message: Message): Thread => ({
  thread_id: reservation.reservation_id,
  booking_id: reservation.reservation_id,
  master_reservation_id: reservation.order_id,
  team_id: reservation.team_id,
  listing_id: reservation.listing_id,
  listing_name: reservation.listing_name,
  guest: { user_id: reservation.guest.user_id, full_name: reservation.guest.full_name },
  last_message: previewOf(message),
  created_at: message.created_at,
  version: 1,
});

/** Opens the thread of a new booking with its first message, once (D65). */
export const openThread = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  event: EventOf<'booking.created'>,
): Promise<void> => {
  const reservationId = event.data.id;
  const ids = { order_id: orderIdOf(reservationId), reservation_id: reservationId };
  const reservation = await deps.table.get(ReservationEntity, ids);
  if (!reservation) throw new Error(`the booking ${reservationId} of event ${event.id} does not exist`);
  const { thread, writes } = newThread(deps, reservation);
  await commitOnce(deps, { consumer: 'chat', event_id: event.id, recipient: null }, [
    create(ThreadEntity, thread, () => new AlreadyHandled()),
    ...writes,
  ]);
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

const isHost = ({ caller, teamHeader }: Context<UserCaller>, query: ListThreadsQuery): boolean =>
  query.as === undefined
    ? teamHeader !== undefined || caller.memberships.some(({ role }) => role !== 'CUSTOMER')
    : query.as === 'host';
