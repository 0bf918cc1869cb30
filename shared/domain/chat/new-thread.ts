import { instantText } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import type { Write } from '../../platform/table/index.ts';
import type { Reservation } from '../booking/index.ts';
import { bookingSummary } from './booking-summary.ts';
import type { Message, Thread } from './chat.entity.ts';
import { messageWrites, previewOf } from './chat.store.ts';

const actor = 'system:chat';

/** The thread of a booking with the writes of its first message, which sums the booking up (D65). */
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
