import { describe, expect, it } from 'vitest';
import { blockTime } from '../../shared/domain/availability/index.ts';
import { cancelBooking, markPaid } from '../../shared/domain/booking/index.ts';
import { hoursForGood } from '../../shared/domain/calendar/index.ts';
import { confirmCheckout } from '../../shared/domain/checkout/index.ts';
import { archiveListing, updateListing } from '../../shared/domain/hosting/index.ts';
import type { Context } from '../../shared/platform/context.ts';
import type { Table } from '../../shared/platform/table/index.ts';
import { minute, paymentScene } from '../support/payment-scene.ts';

/** The context of a verb between whose reads and writes something else happens, once. */
const interrupted = <C extends Context>(ctx: C, meanwhile: () => Promise<unknown>): C => {
  let isOver = false;
  const transact: Table['transact'] = async (writes) => {
    if (!isOver) {
      isOver = true;
      await meanwhile();
    }
    return ctx.table.transact(writes);
  };
  const table = new Proxy(ctx.table, {
    get: (target, name) => {
      if (name === 'transact') return transact;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const commit: Context['commit'] = async (writes, body) => {
    await transact(writes);
    return body;
  };
  return { ...ctx, table, commit };
};

describe('between the reads and the write of a verb', () => {
  it('a payment comes in: the cancellation is decided anew and gives it back', async () => {
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

  it('a listing becomes a child: its block goes to the calendar of the family', async () => {
    const s = await paymentScene();
    const [parent, child] = [await s.listing(), await s.listing()];
    const attach = () =>
      updateListing(s.owner, { params: { listing_id: child.id }, body: { parent_listing_id: parent.id } });
    const block = await blockTime(interrupted(s.owner, attach), child.id, { block_date: '2027-02-04' });
    const entries = await s.deps.table.queryAll({ pk: `CALENDAR#${parent.id}`, prefix: 'ENTRY#' });
    expect(entries.items).toMatchObject([{ availability_id: block.id, listing_id: child.id }]);
  });

  it('a listing is archived: nothing of it is blocked any more', async () => {
    const s = await paymentScene();
    const { id } = await s.listing();
    const ctx = interrupted(s.owner, () => archiveListing(s.owner, { params: { listing_id: id } }));
    await expect(blockTime(ctx, id, { block_date: '2027-02-04' })).rejects.toMatchObject({
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

describe('a booking that was confirmed under its lock', () => {
  it('takes its hours from search too', async () => {
    const s = await paymentScene();
    const listing = await s.listing();
    const { checkout_id } = await s.hold([listing]);
    const hours = async () => (await hoursForGood(s.deps.table, listing.id, '2027-02'))(listing.id);
    expect(await hours()).toEqual([]);
    await confirmCheckout(s.guest, { checkout_id, payment_method: 'CASH' });
    expect(await hours()).toHaveLength(1);
  });
});
