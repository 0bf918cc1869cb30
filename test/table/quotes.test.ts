import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { getExternalBooking } from '../../shared/domain/booking/external-bookings.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { createQuote, extendQuote, holdQuote, releaseQuote } from '../../shared/domain/checkout/quotes.ts';
import { ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import type { PartnerCaller } from '../../shared/platform/auth.ts';
import type { Context } from '../../shared/platform/context.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { change, present, type Table } from '../../shared/platform/table/index.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { interruptedTable, writing } from '../support/interrupted.ts';
import { testListing } from '../support/listings.ts';
import type { TestDependencies } from '../support/dependencies.ts';
import { testContext, testDependencies, testKey, testTeam, testUser } from '../support/table.ts';
import { randomCases } from '../support/random-cases.ts';

type Partner = Context<PartnerCaller>;
let deps: TestDependencies;
let team_id: number;
let partner: Partner;
beforeAll(async () => {
  deps = await testDependencies();
  ({ team_id } = await testTeam(deps));
  partner = testContext(deps, (await testKey(deps, { team_ids: [team_id] })).caller);
});

const stayAt = (listing_id: number, check_in_date = '2027-02-10', nights = 2, guest_number = 2) => ({
  listing_id,
  check_in_date,
  check_out_date: addDays(check_in_date, nights),
  guest_number,
});
const terms = (given: object) =>
  ({
    guest_info: { full_name: 'Trần Thị Bình', phone: '+84 912 345 678', email: 'binh@example.com' },
    payment_method: 'CASH',
    ...given,
  }) as Parameters<typeof bookExternally>[1];
const quoteOf = async (listing_id: number): Promise<number> =>
  (await createQuote(partner, { items: [stayAt(listing_id)] })).quote_id;
const interrupted = (kind: string, meanwhile: () => Promise<unknown>): Partner => {
  const table = interruptedTable(deps.table, writing(kind), meanwhile);
  return { ...partner, table, commit: (writes, body) => table.transact(writes).then(() => body) };
};
/** Returns how many succeeded, and the codes of the others. */
const outcomes = (settled: readonly PromiseSettledResult<unknown>[]) => ({
  succeeded: settled.filter(({ status }) => status === 'fulfilled').length,
  refused: [
    ...new Set(
      settled.flatMap((one) =>
        one.status === 'rejected'
          ? [one.reason instanceof ServiceError ? one.reason.code : String(one.reason)]
          : [],
      ),
    ),
  ],
});
const listingOf = async () => (await testListing(deps, { team_id })).id;

describe('one quote, at once', () => {
  it('booked by twenty: one order, all others INVALID_STATE_TRANSITION', async () => {
    for (const isHeld of [false, true]) {
      const quote_id = await quoteOf(await listingOf());
      if (isHeld) await holdQuote(partner, quote_id);
      const settled = await Promise.allSettled(
        Array.from({ length: 20 }, () => bookExternally(partner, terms({ quote_id }))),
      );
      expect(outcomes(settled)).toEqual({ succeeded: 1, refused: ['INVALID_STATE_TRANSITION'] });
    }
  }, 60_000);

  it('booked by twenty under one external id: one order, all others the same', async () => {
    const quote_id = await quoteOf(await listingOf());
    await holdQuote(partner, quote_id);
    const request = terms({ quote_id, external_booking_id: `AT-${quote_id}` });
    const all = await Promise.all(Array.from({ length: 20 }, () => bookExternally(partner, request)));
    expect(all.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(all.map(({ booking }) => booking.id))).toEqual(new Set([quote_id]));
  }, 60_000);

  it('held by twenty: one hold', async () => {
    const quote_id = await quoteOf(await listingOf());
    const settled = await Promise.allSettled(Array.from({ length: 20 }, () => holdQuote(partner, quote_id)));
    expect(outcomes(settled)).toEqual({ succeeded: 1, refused: ['INVALID_STATE_TRANSITION'] });
  }, 60_000);

  it('booked while it is being held is not held, and the other way round the hold is what is booked', async () => {
    const first = await quoteOf(await listingOf());
    const holding = interrupted('Order', () => bookExternally(partner, terms({ quote_id: first })));
    await expect(holdQuote(holding, first)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    const second = await quoteOf(await listingOf());
    const booking = interrupted('Order', () => holdQuote(partner, second));
    expect(await bookExternally(booking, terms({ quote_id: second }))).toMatchObject({
      booking: { id: second, status: 'CONFIRMED' },
    });
  });

  it('released while it is being booked, or extended, is neither', async () => {
    const first = await quoteOf(await listingOf());
    await holdQuote(partner, first);
    const booking = interrupted('Order', () => releaseQuote(partner, first));
    await expect(bookExternally(booking, terms({ quote_id: first }))).rejects.toMatchObject({
      code: 'CHECKOUT_EXPIRED',
    });
    const second = await quoteOf(await listingOf());
    await holdQuote(partner, second);
    const extending = interrupted('Order', () => releaseQuote(partner, second));
    await expect(extendQuote(extending, second)).rejects.toBeInstanceOf(ServiceError);
  });
});

describe('the time of a hold that has expired', () => {
  it('is free for others, who may hold it before the partner books: CHECKOUT_EXPIRED', async () => {
    const listing = await listingOf();
    const quote_id = await quoteOf(listing);
    await holdQuote(partner, quote_id);
    deps.clock.advance(15 * 60_000);
    const { caller } = await testUser(deps);
    await createCheckout(testContext(deps, caller), { items: [stayAt(listing)] });
    await expect(bookExternally(partner, terms({ quote_id }))).rejects.toMatchObject({
      code: 'CHECKOUT_EXPIRED',
    });
  });

  it('is not booked by a partner whose request began before the end', async () => {
    const quote_id = await quoteOf(await listingOf());
    await holdQuote(partner, quote_id);
    deps.clock.advance(15 * 60_000 - 1);
    const booking = interrupted('Order', async () => deps.clock.advance(1));
    await expect(bookExternally(booking, terms({ quote_id }))).resolves.toBeDefined();
  });
});

/** What decides a price, as a host may set it. */
const rates = fc.record({
  full_rate: fc.integer({ min: 1, max: 5_000_000 }),
  prices_by_week: fc.dictionary(fc.constantFrom('0', '3', '5', '6'), fc.integer({ min: 1, max: 5_000_000 })),
  extra_adult_rate: fc.integer({ min: 0, max: 300_000 }),
  guest_included_in_rate: fc.integer({ min: 1, max: 4 }),
  cleaning_fee: fc.integer({ min: 0, max: 500_000 }),
  monthly_price: fc.constantFrom(0, 9_000_000),
  last_minute_hour: fc.constantFrom(0, 5000),
  last_minute_discount: fc.constantFrom(0, 10, 12.5, 33.33),
});
const requests = fc.record({
  check_in_date: fc.integer({ min: 0, max: 500 }).map((day) => addDays('2027-01-20', day)),
  nights: fc.integer({ min: 1, max: 35 }),
  guest_number: fc.integer({ min: 1, max: 6 }),
  isHeld: fc.boolean(),
  rise: fc.integer({ min: 1, max: 100_000 }),
});

const randomCase = fc.tuple(rates, requests);
type Case = typeof randomCase extends fc.Arbitrary<infer One> ? One : never;

describe('1,000 random quotes', () => {
  it('cost what they said when they are booked, line by line; held ones whatever the host changes', async () => {
    const cases = fc.sample(randomCase, { numRuns: randomCases(1000), seed: 20_270_115 });
    const lanes = await Promise.all(
      Array.from({ length: 25 }, async () =>
        testContext(deps, (await testKey(deps, { team_ids: [team_id] })).caller),
      ),
    );
    const compare = async (partner: Partner, [fields, asked]: Case) => {
      const { check_in_date, nights, guest_number, isHeld, rise } = asked;
      const listing = await testListing(deps, { team_id, capacity: 6, ...fields });
      const items = [stayAt(listing.id, check_in_date, nights, guest_number)];
      const quote = await createQuote(partner, { items });
      if (isHeld) {
        const { preview } = await holdQuote(partner, quote.quote_id, {
          expected_total: quote.estimated_total,
        });
        expect(preview).toEqual(withoutIds(quote));
        await setRate(deps.table, listing.id, fields.full_rate + rise);
      }
      const request = terms({ quote_id: quote.quote_id, expected_total: quote.estimated_total });
      const { booking } = await bookExternally(partner, request);
      const { price, total_price } = await getExternalBooking(partner, booking.id);
      expect(total_price).toBe(quote.estimated_total);
      expect(price).toEqual(
        quote.items.map(({ available: _, amount_due: __, balance_due_at: ___, ...item }) => item),
      );
    };
    await Promise.all(
      lanes.map(async (lane, from) => {
        for (let at = from; at < cases.length; at += lanes.length) await compare(lane, cases[at]!);
      }),
    );
  }, 120_000);
});

const withoutIds = ({ quote_id: _, expires_at: __, ...preview }: Awaited<ReturnType<typeof createQuote>>) =>
  preview;

const setRate = (table: Table, id: number, full_rate: number) =>
  table.transact([change(ListingEntity, { id }, { set: { full_rate } }, { when: present() })]);
