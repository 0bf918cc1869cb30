import type { Dependencies } from '../../platform/context.ts';
import type { EventMessage } from '../../platform/events/index.ts';
import { AlreadyHandled, commitOnce } from '../../platform/events/handle-once.ts';
import { instantText } from '../../platform/clock.ts';
import { newId, orderIdOf } from '../../platform/ids.ts';
import { create } from '../../platform/table/index.ts';
import { type Reservation, ReservationEntity } from '../booking/index.ts';
import { bookingSummary } from './booking-summary.ts';
import { type Message, type Thread, ThreadEntity } from './chat.entity.ts';
import { messageWrites, previewOf } from './chat.store.ts';

const actor = 'system:chat';

/** Opens the thread of a new booking with its first message, once, however often the event comes (D65). */
export const openThread = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  event: EventMessage,
): Promise<void> => {
  const reservation_id = event.data.id;
  const ids = { order_id: orderIdOf(reservation_id), reservation_id };
  const reservation = await deps.table.get(ReservationEntity, ids);
  if (!reservation) throw new Error(`the booking ${reservation_id} of event ${event.id} is not there`);
  const message: Message = {
    thread_id: reservation_id,
    message_id: newId(deps.clock),
    sender_type: 'SYSTEM',
    sender_id: null,
    sender_name: 'Nightlatch',
    text: bookingSummary(reservation),
    created_at: instantText(deps.clock.now()),
  };
  const thread = threadOf(reservation, message);
  await commitOnce(deps, { consumer: 'chat', event_id: event.id, recipient: null }, [
    create(ThreadEntity, thread, () => new AlreadyHandled()),
    ...messageWrites({ ...deps, caller: { kind: 'anonymous' } }, thread, message, actor),
  ]);
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
