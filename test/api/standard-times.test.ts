import { describe, expect, it } from 'vitest';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import type { PricePreview } from '../../shared/domain/pricing/quote.schema.ts';
import {
  guest_info,
  type ListingGiven,
  nights,
  ok,
  refusal,
  type ReplyOf,
  stay,
  useOrderScene,
} from '../support/order-scene.ts';

const s = useOrderScene();
const early = { check_in_time: '10:00' };
const late = { check_out_time: '15:00' };

/** A listing of which a night costs 1,000,000 and the cleaning 200,000, with fees for the hours beyond its standard times. */
const home = (given: ListingGiven = {}) =>
  s.listing({
    refund_rule: 'Full refund until check-in',
    ...{ early_check_in_fee: 150_000, late_check_out_fee: 250_000 },
    ...{ flexible_check_in_time: '10:00:00', flexible_check_out_time: '16:00:00', ...given },
  });

const fees = (quote: { early_check_in_fee: number; late_check_out_fee: number } | undefined) => [
  quote?.early_check_in_fee,
  quote?.late_check_out_fee,
];

const patch = async (listing: { id: number }, body: object): Promise<void> =>
  void ok(await s.call('PATCH', `/api/v1/listings/${listing.id}`, { token: s.host.token, body }));

const book = async (listing: { id: number }, given: object = {}) =>
  ok(await s.confirm(s.guest, { items: [stay(listing, given)], payment_method: 'CASH' }), 201).reservations[0]
    ?.id ?? 0;

describe('a stay that comes early or leaves late', () => {
  it('costs the same in the preview, the hold and the booking, line by line', async () => {
    const listing = await home();
    const items = [stay(listing, { ...early, ...late })];
    const preview = ok(await s.preview(s.guest, { items }));
    expect(fees(preview.items[0])).toEqual([150_000, 250_000]);
    expect(preview).toMatchObject({ estimated_total: 2_600_000, total_cleaning_fee: 200_000 });
    const { checkout_id } = ok(await s.hold(s.guest, { items }), 201);
    await patch(listing, { early_check_in_fee: 1_000_000 });
    const confirmed = await s.confirm(s.guest, { items, checkout_id, payment_method: 'CASH' });
    const id = ok(confirmed, 201).reservations[0]?.id ?? 0;
    const { total_price, lines, price } = ok(await s.booking(s.guest, id));
    expect([total_price, ...fees(price[0])]).toEqual([2_600_000, 150_000, 250_000]);
    expect(lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ...[
        ['night', 1_000_000],
        ['night', 1_000_000],
      ],
      ...[
        ['cleaning', 200_000],
        ['early_check_in', 150_000],
        ['late_check_out', 250_000],
      ],
    ]);
    expect((await auditBooking(s.deps, id)).findings).toEqual([]);
  });

  it('is refused outside of the flexible times, whatever its fee', async () => {
    const items = [stay(await home(), { check_in_time: '09:59' })];
    expect(refusal(await s.preview(s.guest, { items }))).toMatchObject({
      paths: ['items[0].check_in_time'],
    });
  });

  it('is quoted and booked by partners', async () => {
    const partner = await s.partner();
    const listing = await home();
    const quote = ok(await s.quote(partner, { items: [stay(listing, early)] }), 201);
    expect([...fees(quote.items[0]), quote.estimated_total]).toEqual([150_000, 0, 2_350_000]);
    const booked = await s.bookOut(partner, {
      ...{ ...stay(listing, late), nights: 2 },
      ...{ guest_info, payment_method: 'CASH' },
    });
    expect(ok(booked, 201).total_price).toBe(2_450_000);
  });

  it('has parts that add up to the total in the price preview', async () => {
    const body = stay(await home(), { ...early, ...late });
    const path = '/api/v1/listing-pricing-rules/preview';
    const reply: ReplyOf<PricePreview> = await s.call('POST', path, { token: s.guest.token, body });
    const { base_price, total_price, breakdown } = ok(reply);
    expect(breakdown).toMatchObject({ early_check_in_fee: 150_000, late_check_out_fee: 250_000 });
    const { cleaning_fee, early_check_in_fee, late_check_out_fee } = breakdown;
    expect(base_price + cleaning_fee + early_check_in_fee + late_check_out_fee).toBe(total_price);
  });
});

describe('a change', () => {
  it('charges the fee of a time that is asked for, and no longer with the standard time', async () => {
    const id = await book(await home());
    const preview = ok(await s.previewChange(s.guest, id, early));
    expect([preview.difference, ...fees(preview.was), ...fees(preview.now)]).toEqual([
      ...[150_000, 0, 0, 150_000, 0],
    ]);
    const changed = ok(await s.change(s.guest, id, { ...early, ...late }));
    expect([changed.total_price, changed.change.difference]).toEqual([2_600_000, 400_000]);
    const standard = ok(await s.change(s.guest, id, { check_in_time: null }));
    expect([standard.total_price, ...fees(standard.price[0])]).toEqual([2_450_000, 0, 250_000]);
    expect((await auditBooking(s.deps, id)).findings).toEqual([]);
  });

  it('that keeps the time charges its fee of now, as it does the cleaning', async () => {
    const listing = await home();
    const id = await book(listing, early);
    await patch(listing, { early_check_in_fee: 100_000, late_check_out_fee: 0, cleaning_fee: 210_000 });
    const { price } = ok(await s.change(s.guest, id, nights('2027-02-10', '2027-02-13')));
    expect([...fees(price[0]), price[0]?.cleaning_fee]).toEqual([100_000, 0, 210_000]);
  });

  it('charges none of a stay whose times were not asked for, also when the standard ones have moved', async () => {
    const listing = await home();
    const id = await book(listing);
    await patch(listing, { standard_check_in_time: '16:00', standard_check_out_time: '10:00' });
    const { price, start_at, end_at } = ok(await s.change(s.guest, id, { guest_number: 1 }));
    expect([start_at, end_at]).toEqual(['2027-02-10T14:00:00', '2027-02-12T12:00:00']);
    expect(fees(price[0])).toEqual([0, 0]);
  });
});
