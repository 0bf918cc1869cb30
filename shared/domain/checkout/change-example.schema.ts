import { bookedQuoteExample as was, bookingDetailExample } from '../booking/booking-example.schema.ts';
import type { ChangedBooking, ChangePreview } from './change.schema.ts';

/** A night more. */
const dates = { check_in_date: '2027-02-11', check_out_date: '2027-02-13' };
const [night, cleaning] = was.lines;
const nextNight = night && { ...night, label: 'Night of 2027-02-12', date: '2027-02-12' };

const now = {
  ...was,
  ...dates,
  end_at: '2027-02-13T12:00:00',
  nights: 2,
  base_price: 2_000_000,
  total: 2_200_000,
  lines: [night, nextNight, cleaning].flatMap((line) => line ?? []),
};

const change = {
  difference: 1_000_000,
  refund: { amount: 0, status: 'NONE' as const },
  amount_due: 2_200_000,
};

/** Returns the example of a preview. */
export const changePreviewExample = (bookingId: number): ChangePreview => ({
  booking_id: bookingId,
  ...change,
  currency: 'VND',
  was,
  now,
  available: true,
  cancellation_deadline: bookingDetailExample.cancellation_deadline,
});

/** Returns the example of a changed booking. */
export const changedExample = (bookingId: number): ChangedBooking => ({
  ...bookingDetailExample,
  id: bookingId,
  master_reservation_id: bookingId - 1,
  payment_status: 'PENDING',
  check_out: dates.check_out_date,
  ...dates,
  end_at: now.end_at,
  nights: now.nights,
  total_price: now.total,
  price: [now],
  lines: now.lines,
  reservations: bookingDetailExample.reservations.map((stay) => ({
    ...stay,
    id: bookingId,
    check_out: dates.check_out_date,
    ...dates,
    total_price: now.total,
  })),
  change,
});

/** Returns the example of a booking whose price was adjusted by an amount, or no more. */
export const adjustedExample = (bookingId: number, difference: number, amount = 0): ChangedBooking => {
  const total = was.total + amount;
  const lines = [
    ...was.lines,
    ...(amount === 0
      ? []
      : [
          {
            ...{ kind: 'adjustment' as const, label: 'Cold shower', quantity: 1 },
            ...{ unit_price: amount, amount, source: 'GOODWILL' },
          },
        ]),
  ];
  return {
    ...bookingDetailExample,
    id: bookingId,
    master_reservation_id: bookingId - 1,
    payment_status: 'PENDING',
    total_price: total,
    amount_due: total,
    price: [{ ...was, total, lines }],
    lines,
    reservations: bookingDetailExample.reservations.map((stay) => ({
      ...stay,
      id: bookingId,
      total_price: total,
    })),
    change: { ...change, difference, amount_due: total },
  };
};
