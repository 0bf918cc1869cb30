import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { externalRoutes } from '../../functions/external/routes.ts';
import type { listingsRoutes } from '../../functions/listings/routes.ts';
import { folioCalls, stayPrice as price } from '../support/folio-calls.ts';
import { guest_info, ok, refusal, stay, useOrderScene } from '../support/order-scene.ts';

const s = useOrderScene();
const { folio, requireSound } = folioCalls(s);

type Listing = z.output<(typeof listingsRoutes)['routes']['getListing']['reply']>;
type ExternalListing = z.output<(typeof externalRoutes)['routes']['getExternalListing']['reply']>;
const plan = { deposit_percent: 30 };
const [deposit, balance] = [660_000, 1_540_000];
const balance_due_at = '2027-02-07T07:00:00.000Z';
const later = { amount_due: deposit, amount_due_later: balance, balance_due_at };
const whole = { amount_due: price, amount_due_later: 0, balance_due_at: null };

const patch = (id: number, body: object) => s.call('PATCH', `/api/v1/listings/${id}`, { ...s.host, body });

describe('the plan of a listing', () => {
  it('is written by its host and read by guests and partners; by default all is due at booking', async () => {
    const { id } = await s.listing();
    const path = `/api/v1/listings/${id}`;
    const read = async () => ok(await s.get<Listing>(s.guest, path));
    expect(await read()).toMatchObject({ deposit_percent: 100, balance_due: { hours_before: 72 } });
    const given = { deposit_percent: 30, balance_due: { hours_before: 24 } };
    ok(await patch(id, given));
    expect(await read()).toMatchObject(given);
    ok(await patch(id, { balance_due: 'ON_ARRIVAL' }));
    const readOut = ok(await s.get<ExternalListing>(await s.partner(), `/api/v1/external/listings/${id}`));
    expect(readOut).toMatchObject({ deposit_percent: 30, balance_due: 'ON_ARRIVAL' });
  });

  it.each([
    [{ deposit_percent: 100.1 }, 'deposit_percent'],
    [{ deposit_percent: -1 }, 'deposit_percent'],
    [{ deposit_percent: 33.33333 }, 'deposit_percent'],
    [{ balance_due: { hours_before: 23 } }, 'balance_due'],
    [{ balance_due: { hours_before: 8761 } }, 'balance_due'],
    [{ balance_due: { hours_before: 24, days: 1 } }, 'balance_due'],
    [{ balance_due: 'ON_DEPARTURE' }, 'balance_due'],
  ])('refuses %j', async (given, path) => {
    const { id } = await s.listing();
    const { code, paths } = refusal(await patch(id, given));
    expect(code).toBe('VALIDATION_ERROR');
    expect(paths[0]).toContain(path);
  });
});

describe('what is due of a stay with a plan', () => {
  it('is in every preview, held or not', async () => {
    const items = [stay(await s.listing(plan)), stay(await s.listing())];
    const due = [
      { amount_due: deposit, balance_due_at },
      { amount_due: price, balance_due_at: null },
    ];
    expect(ok(await s.preview(s.guest, { items })).items).toMatchObject(due);
    expect(ok(await s.hold(s.guest, { items }), 201).preview.items).toMatchObject(due);
    const partner = await s.partner();
    const other = [stay(await s.listing(plan))];
    const quote = ok(await s.quote(partner, { items: other }), 201);
    expect(quote.items).toMatchObject([due[0]]);
    expect(ok(await s.holdQuote(partner, quote.quote_id, {}), 201).preview.items).toMatchObject([due[0]]);
  });

  it('is frozen: the listing may have another plan afterwards', async () => {
    const home = await s.listing(plan);
    const held = ok(await s.hold(s.guest, { items: [stay(home)] }), 201);
    ok(await patch(home.id, { deposit_percent: 100 }));
    const confirmed = ok(
      await s.confirm(s.guest, { checkout_id: held.checkout_id, payment_method: 'BANK_TRANSFER' }),
      201,
    );
    const { id } = confirmed.reservations[0]!;
    expect(await folio(id)).toMatchObject({ ...later, balance: price });
    expect(ok(await s.get(s.guest, `/api/v1/bookings/${id}`))).toMatchObject(later);
    await requireSound(id);
  });

  it('is said to a partner, of whose guests the page takes the deposit', async () => {
    const home = await s.listing(plan);
    const partner = await s.partner();
    const booked = ok(
      await s.bookOut(partner, { ...stay(home), nights: 2, guest_info, payment_method: 'ONLINE_GATEWAY' }),
      201,
    );
    expect(booked).toMatchObject({ ...later, payment_status: 'PENDING', total_price: price });
    expect(s.deps.sandbox.server.find(booked.master_reservation_id)!.amount).toBe(deposit);
  });

  it('is nothing where the partner collects the price', async () => {
    const home = await s.listing(plan);
    const partner = await s.partner({ collects_payment: true });
    const booked = ok(
      await s.bookOut(partner, { ...stay(home), nights: 2, guest_info, payment_method: 'ONLINE_GATEWAY' }),
      201,
    );
    expect(booked).toMatchObject({ ...whole, amount_due: 0, amount_paid: price, payment_status: 'PAID' });
  });

  it('is of bookings that a host makes, too', async () => {
    const items = [stay(await s.listing({ ...plan, balance_due: 'ON_ARRIVAL' }))];
    const body = { items, guest_info, payment_method: 'BANK_TRANSFER' };
    const booked = await s.call('POST', '/api/v1/bookings', { ...s.host, body });
    const { id } = (booked.body as { reservations: { id: number }[] }).reservations[0]!;
    ok(await s.call('POST', `/api/v1/bookings/${id}/mark-paid`, { ...s.host }));
    expect(await folio(id)).toMatchObject({
      ...{ ...later, amount_due: 0, balance_due_at: '2027-02-10T07:00:00.000Z' },
      ...{ payment_status: 'PENDING', secured: true, balance, amount_paid: deposit },
    });
    await requireSound(id);
  });

  it('is shown by the preview of a change and of an adjustment: the balance bears it', async () => {
    const items = [stay(await s.listing({ ...plan, refund_rule: 'Flexible' }))];
    const { id } = ok(await s.confirm(s.guest, { items, payment_method: 'BANK_TRANSFER' }), 201)
      .reservations[0]!;
    ok(await s.call('POST', `/api/v1/bookings/${id}/mark-paid`, { ...s.host }));
    const asked = ok(await s.previewChange(s.guest, id, { check_out_date: '2027-02-13' }));
    expect(asked).toMatchObject({ difference: 1_000_000, amount_due: 0 });
    const body = { label: 'Late', amount: -540_000, reason: 'GOODWILL' };
    ok(await s.call('POST', `/api/v1/bookings/${id}/adjustments`, { ...s.host, body }));
    expect(await folio(id)).toMatchObject({ amount_due_later: 1_000_000, amount_refunded: 0 });
    await requireSound(id);
  });
});
