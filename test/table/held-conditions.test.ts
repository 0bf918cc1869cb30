import { describe, expect, it } from 'vitest';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { dueBookings } from '../../shared/domain/booking/due-booking.store.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { blockTime } from '../../shared/domain/calendar/block-time.ts';
import { AvailabilityEntryEntity } from '../../shared/domain/calendar/calendar.store.ts';
import { committedHours } from '../../shared/domain/calendar/committed-hours.store.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { archiveListing } from '../../shared/domain/listing/archive-listing.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { moveDueBookings } from '../../shared/domain/payment/move-due-bookings.ts';
import { waitingIn } from '../support/due.ts';
import { interrupted, interruptedTable } from '../support/interrupted.ts';
import { hour, minute, nothingMoved, type PaymentScene, paymentScene } from '../support/payment-scene.ts';

const day = 24 * hour;

/** Within the time that can be booked, whose months a listing closes when it leaves, and far behind it. */
const blockDates = ['2027-02-04', '2150-02-04'];

describe('between the reads and the write of a verb', () => {
  it('a payment comes in: the cancellation is decided anew and refunds it', async () => {
    const s = await paymentScene();
    const listing = await s.listing({ refund_rule: 'Full refund until 1 day before check-in' });
    const { master_reservation_id: id, reservations } = await s.confirm([listing]);
    const ctx = interrupted(s.guest, () => s.decide(id, 'success'));
    await cancelBooking(ctx, reservations[0]!.id);
    await s.clear();
    const { payment } = await s.order(id);
    expect(payment?.state).toBe('PAID');
    s.clock.advance(6 * minute);
    const { refunds } = await s.order(id);
    expect(refunds.map(({ amount }) => amount)).toEqual([s.money(id).charged]);
    expect(s.money(id).charged).toBeGreaterThan(0);
  });

  it.each(blockDates)(
    'a listing becomes a child: its block of %s goes to the calendar of the family',
    async (block_date) => {
      const s = await paymentScene();
      const [parent, child] = [await s.listing(), await s.listing()];
      const attach = () => updateListing(s.owner, child.id, { parent_listing_id: parent.id });
      const block = await blockTime(interrupted(s.owner, attach), child.id, { block_date });
      const entries = await s.deps.table.queryAll(AvailabilityEntryEntity, {
        pk: `CALENDAR#${parent.id}`,
        prefix: 'ENTRY#',
      });
      expect(entries).toMatchObject([{ availability_id: block.id, listing_id: child.id }]);
    },
  );

  it.each(blockDates)('a listing is archived: no block of %s is written', async (block_date) => {
    const s = await paymentScene();
    const { id } = await s.listing();
    const ctx = interrupted(s.owner, () => archiveListing(s.owner, id));
    await expect(blockTime(ctx, id, { block_date })).rejects.toMatchObject({
      code: 'LISTING_NOT_FOUND',
    });
  });

  it('another host notes the payment: it is noted once', async () => {
    const s = await paymentScene();
    const items = s.items(await s.listing());
    const { master_reservation_id: id } = await confirmCheckout(s.guest, { items, payment_method: 'CASH' });
    const ctx = interrupted(s.owner, () => markPaid(s.owner, id));
    await expect(markPaid(ctx, id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect((await s.typesOf(id)).filter((type) => type === 'payment.paid')).toHaveLength(1);
  });
});

describe('a move that was due by the list', () => {
  const moments = [
    ['the list', 'query'],
    ['the booking', 'transact'],
  ] as const;
  const pending = async (s: PaymentScene) => {
    await s.clear();
    const booked = await s.confirm([await s.listing({ instant_book_enabled: false })]);
    s.clock.advance(day);
    return { id: booked.reservations[0]!.id, order: booked.master_reservation_id };
  };

  it.each(moments)(
    'is due later when its host accepts after the run has read %s, to be paid online',
    async (_, at) => {
      const s = await paymentScene();
      const { id } = await pending(s);
      const accept = () => moveBooking(s.owner, id, 'confirm');
      const table = interruptedTable(s.deps.table, at, accept);
      expect(await moveDueBookings({ ...s.deps, table })).toEqual(nothingMoved);
      expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PENDING' });
      const due = { reservation_id: id, due_at: s.clock.now() + day };
      expect(await waitingIn(s.deps.table, dueBookings)).toEqual([due]);
    },
  );

  it.each(moments)('is not done when the stay is cancelled after the run has read %s', async (_, at) => {
    const s = await paymentScene();
    const { id, order } = await pending(s);
    const table = interruptedTable(s.deps.table, at, () => s.cancel(id));
    expect(await moveDueBookings({ ...s.deps, table })).toEqual(nothingMoved);
    expect((await s.typesOf(order)).filter((type) => type === 'booking.cancelled')).toHaveLength(1);
    expect(await waitingIn(s.deps.table, dueBookings)).toEqual([]);
  });
});

describe('a booking that was confirmed under its lock', () => {
  it('takes its hours from search too', async () => {
    const s = await paymentScene();
    const listing = await s.listing();
    const { checkout_id } = await s.hold([listing]);
    const hours = async () => (await committedHours(s.deps.table, listing.id, '2027-02'))(listing.id);
    expect(await hours()).toEqual([]);
    await confirmCheckout(s.guest, { checkout_id, payment_method: 'CASH' });
    expect(await hours()).toHaveLength(1);
  });
});
