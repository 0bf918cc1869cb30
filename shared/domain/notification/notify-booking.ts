import type { Dependencies } from '../../platform/context.ts';
import type { EventMessage, EventType } from '../../platform/events/index.ts';
import { runOnce } from '../../platform/events/handle-once.ts';
import { orderIdOf } from '../../platform/ids.ts';
import { type Reservation, ReservationEntity } from '../booking/index.ts';
import { ListingEntity } from '../listing/index.ts';
import { bookingMail } from './booking-mail.ts';
import type { Happening } from './booking-words.ts';
import type { Mailer } from './mail.ts';
import { recipientsOf } from './recipients.ts';

export interface NotificationDependencies extends Pick<Dependencies, 'table' | 'clock'> {
  mailer: Mailer;
}

/**
 * Writes to guest and hosts about a booking, once for each event and person (D66). One person's failure keeps no other's
 * mail back: the message fails, and its next delivery writes to those alone who have none yet.
 */
export const notifyBooking = async (deps: NotificationDependencies, event: EventMessage): Promise<void> => {
  const reservation = await bookingOf(deps, event);
  const happening = happeningOf(event);
  if (happening === undefined) return;
  const [recipients, listing] = await Promise.all([
    recipientsOf(deps, reservation),
    deps.table.get(ListingEntity, { id: reservation.listing_id }),
  ]);
  const outcomes = await Promise.allSettled(
    recipients.map((recipient) =>
      runOnce(deps, { consumer: 'notification', event_id: event.id, recipient: recipient.ref }, () =>
        deps.mailer.send(bookingMail(recipient, { happening, reservation, listing })),
      ),
    ),
  );
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `${failures.length} of ${recipients.length} mails: ${String(failures[0])}`,
    );
};

const bookingOf = async (deps: NotificationDependencies, event: EventMessage): Promise<Reservation> => {
  const reservation_id = event.data.id;
  const ids = { order_id: orderIdOf(reservation_id), reservation_id };
  const reservation = await deps.table.get(ReservationEntity, ids);
  if (!reservation) throw new Error(`the booking ${reservation_id} of event ${event.id} is not there`);
  return reservation;
};

const happenings: Partial<Record<EventType, Happening>> = {
  'booking.created': 'booked',
  'booking.confirmed': 'confirmed',
  'booking.cancelled': 'cancelled',
};

/** What the event says happened: `state` is the state at that moment, whatever has come since. */
const happeningOf = ({ event_type, data }: EventMessage): Happening | undefined =>
  event_type === 'booking.created' && data['state'] === 'PENDING' ? 'requested' : happenings[event_type];
