import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { bookingRoutes } from '../../functions/bookings/routes.ts';
import type { externalRoutes } from '../../functions/external/routes.ts';
import type { listingsRoutes } from '../../functions/listings/routes.ts';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import type { ReplyOf, Who } from '../support/order-scene.ts';
import { guest_info, nights, ok, refusal, stay, stopClock, useOrderScene } from '../support/order-scene.ts';
import { testListing } from '../support/listings.ts';

const s = useOrderScene();

type Cancellation = z.output<(typeof bookingRoutes)['routes']['getCancellation']['reply']>;
type Cancelled = z.output<(typeof bookingRoutes)['routes']['cancelBooking']['reply']>;
type Listing = z.output<(typeof listingsRoutes)['routes']['getListing']['reply']>;
type Partners = (typeof externalRoutes)['routes'];
type ExternalListing = z.output<Partners['getExternalListing']['reply']>;

const step = (until_hours_before: number, refund_percent: number, keep_nights = 0) => ({
  until_hours_before,
  refund_percent,
  keep_nights,
});
const terms = [step(168, 100), step(72, 50), step(24, 20, 1)];
const text = 'Full refund a week ahead, half three days ahead, then ask us';

const api = '/api/v1';
const villa = {
  ...{ name: 'Nhà bên sông', listing_type: 'ENTIRE_PLACE', property_type: 'VILLA', capacity: 4 },
  ...{ address: '12 Trần Hưng Đạo', province_code: 'LD', full_rate: 1_000_000, state: 'ACTIVE' },
};
const create = (given: object): Promise<ReplyOf<Listing>> =>
  s.call('POST', `${api}/listings`, { token: s.host.token, body: { ...villa, ...given } });
const patch = (id: number, body: object): Promise<ReplyOf<Listing>> =>
  s.call('PATCH', `${api}/listings/${id}`, { token: s.host.token, body });
const put = (id: number, body: object): Promise<ReplyOf<object>> =>
  s.call('PUT', `${api}/listings/${id}/policies`, { token: s.host.token, body });
const readAs = async (who: Who, id: number) => ok(await s.get<Listing>(who, `${api}/listings/${id}`));
const read = (id: number) => readAs(s.guest, id);
const readOut = async (id: number) =>
  ok(await s.get<ExternalListing>(await s.partner(), `${api}/external/listings/${id}`));
const home = async (given: object = { cancellation_terms: terms, refund_rule: text }) =>
  ok(await create(given), 201);
const book = async (...items: object[]) => {
  const booked = ok(await s.confirm(s.guest, { items, payment_method: 'CASH' }), 201);
  return { id: booked.reservations[0]!.id, master: booked.master_reservation_id };
};
const take = async (id: number, amount: number) =>
  void ok(
    await s.call('POST', `${api}/bookings/${id}/payments`, {
      token: s.host.token,
      body: { amount, method: 'CASH', overpaid: true },
    }),
    201,
  );
const cancellationOf = async (id: number, who: Who = s.guest) =>
  ok(await s.get<Cancellation>(who, `${api}/bookings/${id}/cancellation`));
const findings = async (id: number) => (await auditBooking(s.deps, id)).findings;

describe('the cancellation terms of a listing', () => {
  it('are written at creation beside any text, and read by guests and partners', async () => {
    const made = await home();
    expect(made).toMatchObject({ refund_rule: text, cancellation_terms: terms });
    expect(await read(made.id)).toMatchObject({ refund_rule: text, cancellation_terms: terms });
    expect(await readOut(made.id)).toMatchObject({ refund_rule: text, cancellation_terms: terms });
  });

  it('are set, replaced and removed by PATCH; without them the text is read', async () => {
    const { id } = await home({ refund_rule: '7 days' });
    expect((await readOut(id)).cancellation_terms).toEqual([step(168, 100)]);
    expect(ok(await patch(id, { cancellation_terms: terms })).cancellation_terms).toEqual(terms);
    const short = [{ until_hours_before: 12, refund_percent: 80 }];
    expect(ok(await patch(id, { cancellation_terms: short })).cancellation_terms).toEqual([step(12, 80)]);
    expect(ok(await patch(id, { name: 'Nhà khác' })).cancellation_terms).toEqual([step(12, 80)]);
    expect(ok(await patch(id, { cancellation_terms: null })).cancellation_terms).toBeNull();
    expect((await readOut(id)).cancellation_terms).toEqual([step(168, 100)]);
  });

  it('are in the history of the listing', async () => {
    const { id } = await home({ refund_rule: '7 days' });
    ok(await patch(id, { cancellation_terms: terms }));
    const log = ok(await s.get<{ items: { changes: object[] }[] }>(s.host, `${api}/listings/${id}/changes`));
    expect(log.items[0]?.changes).toEqual([{ field: 'cancellation_terms', id: null, was: null, now: terms }]);
  });

  it.each([
    ['rising percents', [step(48, 50), step(24, 60)], 'cancellation_terms[1].refund_percent'],
    ['rising hours', [step(24, 50), step(48, 40)], 'cancellation_terms[1].until_hours_before'],
    ['fewer kept nights', [step(48, 50, 1), step(24, 40)], 'cancellation_terms[1].keep_nights'],
    ['no steps', [], 'cancellation_terms'],
    ['six steps', [6, 5, 4, 3, 2, 1].map((at) => step(at, at)), 'cancellation_terms'],
    ['more than 100 %', [step(24, 101)], 'cancellation_terms[0].refund_percent'],
    ['part of an hour', [step(1.5, 100)], 'cancellation_terms[0].until_hours_before'],
    ['a text', [{ ...step(24, 50), keep_nights: 'one' }], 'cancellation_terms[0].keep_nights'],
  ])('are refused with %s, at creation and by PATCH', async (_, cancellation_terms, path) => {
    const { id } = await home({});
    for (const reply of [await create({ cancellation_terms }), await patch(id, { cancellation_terms })])
      expect(refusal(reply)).toMatchObject({ code: 'VALIDATION_ERROR', paths: [path] });
  });

  it('cannot leave a text that cannot be read, by any way', async () => {
    const refused = { code: 'VALIDATION_ERROR', paths: ['refund_rule'] };
    expect(refusal(await create({ refund_rule: text }))).toMatchObject(refused);
    const { id } = await home();
    expect(refusal(await patch(id, { cancellation_terms: null }))).toMatchObject(refused);
    const other = 'Another text, with 3 numbers: 1, 2';
    expect(ok(await patch(id, { refund_rule: other })).refund_rule).toBe(other);
    ok(await put(id, { refund_rule: text }));
    ok(await patch(id, { cancellation_terms: null, refund_rule: 'STRICT' }));
    expect(refusal(await put(id, { refund_rule: text }))).toMatchObject(refused);
  });

  it.each([
    ['FLEXIBLE', [step(0, 100)]],
    ['MODERATE', [step(120, 100), step(0, 50, 1)]],
    ['STRICT', [step(336, 100), step(168, 50)]],
    ['NON_REFUNDABLE', []],
  ])('are published as %s, which a booking then has', async (refund_rule, cancellation_terms) => {
    const { id } = await home({ refund_rule });
    expect(await readAs(s.host, id)).toMatchObject({ refund_rule, cancellation_terms: null });
    expect(await read(id)).toMatchObject({ refund_rule, cancellation_terms });
    expect(await readOut(id)).toMatchObject({ refund_rule, cancellation_terms });
    const { id: booking } = await book(stay({ id }));
    expect(ok(await s.booking(s.guest, booking))).toMatchObject({ cancellation_terms });
  });

  it('of a listing stored without the field are read from its text, and may be set', async () => {
    const { cancellation_terms: _, ...stored } = await s.listing();
    const old = await testListing(s.deps, { ...stored, cancellation_terms: undefined } as never);
    expect((await readAs(s.host, old.id)).cancellation_terms).toBeNull();
    expect((await read(old.id)).cancellation_terms).toEqual([step(72, 100)]);
    expect(ok(await patch(old.id, { cancellation_terms: terms })).cancellation_terms).toEqual(terms);
  });
});

describe('a booking under terms in steps', () => {
  /** Two nights for 2,000,000 from 2027-02-10 14:00 (07:00 UTC). */
  const moments = [
    ['2027-02-03T07:00:00.000Z', 0],
    ['2027-02-03T07:00:00.001Z', 1_000_000],
    ['2027-02-07T07:00:00.000Z', 1_000_000],
    ['2027-02-07T07:00:00.001Z', 1_800_000],
    ['2027-02-09T07:00:00.000Z', 1_800_000],
    ['2027-02-09T07:00:00.001Z', 2_000_000],
  ] as const;

  it('shows its steps and what each refunds, and keeps them whatever the listing says since', async () => {
    const listing = await home();
    const { id } = await book(stay(listing));
    await take(id, 2_000_000);
    ok(await patch(listing.id, { cancellation_terms: [step(0, 1)] }));
    expect(ok(await s.booking(s.guest, id))).toMatchObject({
      cancellation_terms: terms,
      cancellation_deadline: '2027-02-03T07:00:00.000Z',
    });
    expect(await cancellationOf(id)).toMatchObject({
      paid: 2_000_000,
      refund_now: { amount: 2_000_000, status: 'REFUNDED' },
      schedule: [
        { until: '2027-02-03T07:00:00.000Z', refund: 2_000_000 },
        { until: '2027-02-07T07:00:00.000Z', refund: 1_000_000 },
        { until: '2027-02-09T07:00:00.000Z', refund: 200_000 },
        { until: null, refund: 0 },
      ],
    });
  });

  it.each(
    moments.flatMap(([instant, fee]) =>
      [0, 400_000, 1_500_000, 2_000_000, 2_300_000].map((paid) => [instant, fee, paid] as const),
    ),
  )('cancelled at %s costs %i of what was paid, %i', async (instant, fee, paid) => {
    const { id } = await book(stay(await home()));
    if (paid > 0) await take(id, paid);
    stopClock(instant);
    const said = await cancellationOf(id);
    const amount = Math.max(0, paid - fee);
    expect(said.refund_now.amount).toBe(amount);
    expect(said.schedule[0]?.refund).toBe(amount);
    const done = ok(await s.cancel(s.guest, id));
    expect(done.refund).toEqual(said.refund_now);
    expect(done).toMatchObject({ amount_due: 0, amount_paid: paid, amount_refunded: amount });
    expect(await findings(id)).toEqual([]);
  });

  it('is refunded whole by the host, and by the terms where the partner cancels', async () => {
    const listing = await home();
    const { id } = await book(stay(listing));
    await take(id, 2_000_000);
    const partner = await s.partner({ collects_payment: true });
    const out = { ...stay(listing, nights('2027-02-12', '2027-02-14')), nights: 2, guest_info };
    const other = ok(await s.bookOut(partner, { ...out, payment_method: 'CASH' }), 201).id;
    stopClock('2027-02-08T07:00:00.000Z');
    expect((await cancellationOf(id, s.host)).schedule).toEqual([{ until: null, refund: 2_000_000 }]);
    expect(ok(await s.cancel(s.host, id)).refund.amount).toBe(2_000_000);
    expect(ok(await s.cancelOut(partner, other)).refund).toEqual({ amount: 1_000_000, status: 'REFUNDED' });
  });

  it('of several homes has the steps of each in its schedule', async () => {
    const one = await home({ cancellation_terms: [step(48, 50)], refund_rule: '' });
    const { master } = await book(stay(await home()), stay(one));
    await take(master, 4_000_000);
    expect((await cancellationOf(master)).schedule).toEqual([
      { until: '2027-02-03T07:00:00.000Z', refund: 3_000_000 },
      { until: '2027-02-07T07:00:00.000Z', refund: 2_000_000 },
      { until: '2027-02-08T07:00:00.000Z', refund: 1_200_000 },
      { until: '2027-02-09T07:00:00.000Z', refund: 200_000 },
      { until: null, refund: 0 },
    ]);
  });

  it('has no deadline, and no change by the guest, where no step refunds everything', async () => {
    const { id } = await book(stay(await home({ cancellation_terms: [step(0, 100, 1)] })));
    expect(ok(await s.booking(s.guest, id)).cancellation_deadline).toBeNull();
    expect(refusal(await s.change(s.guest, id, { guest_number: 1 })).code).toBe('INVALID_STATE_TRANSITION');
    ok(await s.change(s.host, id, { guest_number: 1 }));
  });

  it('keeps them in a change, with ends that are never later, and kept nights at the new price', async () => {
    const { id } = await book(stay(await home()));
    await take(id, 2_000_000);
    const dear = await home({ full_rate: 3_000_000, refund_rule: 'NON_REFUNDABLE' });
    const asked = { listing_id: dear.id, ...nights('2027-02-20', '2027-02-22') };
    const moved = ok(await s.change(s.host, id, { ...asked, charge_later: true }));
    expect(moved).toMatchObject({
      total_price: 6_000_000,
      cancellation_deadline: '2027-02-03T07:00:00.000Z',
      cancellation_terms: [step(168 + 240, 100), step(72 + 240, 50), step(24 + 240, 20, 1)],
    });
    await take(id, 4_000_000);
    expect((await cancellationOf(id)).schedule).toEqual([
      { until: '2027-02-03T07:00:00.000Z', refund: 6_000_000 },
      { until: '2027-02-07T07:00:00.000Z', refund: 3_000_000 },
      { until: '2027-02-09T07:00:00.000Z', refund: 600_000 },
      { until: null, refund: 0 },
    ]);
    ok(await s.change(s.host, id, nights('2027-02-06', '2027-02-08')));
    expect((await cancellationOf(id)).schedule.map(({ until }) => until)).toEqual([
      '2027-01-30T07:00:00.000Z',
      '2027-02-03T07:00:00.000Z',
      '2027-02-05T07:00:00.000Z',
      null,
    ]);
    expect(await findings(id)).toEqual([]);
  });

  it('gives a guest who did not come back what the terms give then, or what the host says', async () => {
    const noShow = (id: number, body: object = {}): Promise<ReplyOf<Cancelled>> =>
      s.call('POST', `${api}/bookings/${id}/no-show`, { token: s.host.token, body });
    const [one, other] = [await book(stay(await home())), await book(stay(await home()))];
    for (const { id } of [one, other]) await take(id, 2_300_000);
    stopClock('2027-02-11T07:00:00.000Z');
    expect(ok(await noShow(one.id)).refund.amount).toBe(300_000);
    expect(refusal(await noShow(other.id, { refund_amount: 299_999 })).paths).toEqual(['refund_amount']);
    expect(ok(await noShow(other.id, { refund_amount: 2_300_000 })).refund.amount).toBe(2_300_000);
    for (const { id } of [one, other]) expect(await findings(id)).toEqual([]);
  });

  it('keeps the terms of its hold, and of a quote', async () => {
    const listing = await home();
    const held = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    ok(await patch(listing.id, { cancellation_terms: [step(0, 1)] }));
    const { checkout_id } = held;
    const booked = ok(await s.confirm(s.guest, { checkout_id, payment_method: 'CASH' }), 201);
    const { id } = booked.reservations[0]!;
    expect(ok(await s.booking(s.guest, id)).cancellation_terms).toEqual(terms);
  });
});
