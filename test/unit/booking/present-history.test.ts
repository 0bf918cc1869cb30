import { expect, it } from 'vitest';
import { presentChange } from '../../../shared/domain/booking/booking-history.ts';
import type { Reservation } from '../../../shared/domain/booking/reservation.entity.ts';
import type { BookingEvent } from '../../../shared/domain/booking/booking.store.ts';

const stay = {
  reservation_id: 17,
  currency: 'VND',
  guest: { user_id: 5, full_name: 'Nguyễn Văn An' },
} as Reservation;
const nameless = (id: number) => ({ id, name: null });

it.each([
  ['user:5', 'booking.cancelled', 'guest', 5],
  ['user:5', 'booking.checked_in', 'host', 5],
  ['user:6', 'booking.cancelled', 'host', 6],
  ['key:7', 'booking.created', 'partner', 7],
  ['system:move-due-bookings', 'booking.completed', 'system', null],
  ['system:reconcile-payments', 'booking.cancelled', 'payment', null],
  ['anonymous', 'payment.paid', 'payment', null],
] as const)('%s of %s is the %s', (actor, event_type, kind, id) => {
  const event = { actor, event_type, data: { id: 17 } } as BookingEvent;
  const { who } = presentChange(
    { stay, event },
    {
      host: nameless,
      partner: nameless,
      seesGuest: () => true,
    },
  );
  expect(who).toMatchObject({ kind, id });
});
