import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Cancellation } from '../../shared/domain/booking/booking.schema.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { getCancellation } from '../../shared/domain/booking/get-cancellation.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { getBooking } from '../../shared/domain/booking/read-bookings.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import type { Context } from '../../shared/platform/context.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { testListing } from '../support/listings.ts';
import {
  testContext,
  type TestDependencies,
  testDependencies,
  testStart,
  testTeam,
  testUser,
} from '../support/table.ts';

type Person = TestDependencies & Context<UserCaller>;

let deps: TestDependencies;
let team_id: number;
let guest: Person;
let owner: Person;
beforeAll(async () => {
  deps = await testDependencies();
  ({ team_id } = await testTeam(deps));
  guest = testContext(deps, (await testUser(deps)).caller);
  owner = testContext(deps, (await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] })).caller);
});

interface Stay {
  timezone: string;
  check_in_date: string;
  check_in_time: string;
  /** Hours before check-in; null: never. */
  notice: number | null;
  paid: boolean;
}

/** Zones that change their clocks on other days and by other lengths, or not at all; dates around those days. */
const stay: fc.Arbitrary<Stay> = fc.record({
  timezone: fc.constantFrom(
    'Asia/Ho_Chi_Minh',
    'America/New_York',
    'Europe/Paris',
    'Australia/Lord_Howe',
    'America/Santiago',
    'UTC',
  ),
  check_in_date: fc
    .oneof(
      fc.constantFrom('2027-03-14', '2027-03-28', '2027-04-04', '2027-09-05', '2027-10-31', '2027-11-07'),
      fc.constantFrom('2027-01-16', '2027-06-01'),
    )
    .chain((date) => fc.integer({ min: 0, max: 3 }).map((days) => addDays(date, days))),
  check_in_time: fc.constantFrom('00:00:00', '01:30:00', '02:15:00', '14:00:00', '23:45:00'),
  notice: fc.option(fc.oneof(fc.constantFrom(0, 24, 48, 72, 168), fc.integer({ min: 0, max: 2000 }))),
  paid: fc.boolean(),
});

/** The deadline by another library: check-in as an instant, minus hours that last an hour each (D48). */
const deadlineOf = ({ timezone, check_in_date, check_in_time, notice }: Stay): number =>
  notice === null
    ? -Infinity
    : Temporal.PlainDateTime.from(`${check_in_date}T${check_in_time}`).toZonedDateTime(timezone)
        .epochMilliseconds -
      notice * 3_600_000;

const book = async (stays: readonly Stay[]) => {
  const items = [];
  for (const { timezone, notice, check_in_date, check_in_time } of stays) {
    const refund_rule = notice === null ? 'Non-refundable' : `Refund until ${notice} hours before check-in`;
    const { id } = await testListing(deps, {
      team_id,
      timezone,
      refund_rule,
      cleaning_fee: items.length,
      flexible_check_in_time: '00:00:00',
    });
    const check_out_date = addDays(check_in_date, 2);
    items.push({ listing_id: id, check_in_date, check_in_time, check_out_date, guest_number: 2 });
  }
  const { master_reservation_id, reservations } = await confirmCheckout(guest, {
    items,
    payment_method: 'CASH',
  });
  for (const [position, { paid }] of stays.entries())
    if (paid) await markPaid(owner, reservations[position]!.id);
  return { master: master_reservation_id, ids: reservations.map(({ id }) => id) };
};

/** What a schedule says of a moment: the first entry that has not ended. */
const saidOf = ({ schedule }: Cancellation, moment: number): number | undefined =>
  schedule.find(({ until }) => until === null || moment <= Date.parse(until))?.refund;

describe('a cancellation', () => {
  it('refunds what was answered before, at any moment, to the millisecond at a deadline', async () => {
    const moment = fc.record({
      of: fc.nat(2),
      shift: fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -9e8, max: 9e8 })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(stay, { minLength: 1, maxLength: 3 }),
        moment,
        fc.boolean(),
        async (stays, { of, shift }, asMaster) => {
          deps.clock.set(testStart);
          const { master, ids } = await book(stays);
          const chosen = asMaster || stays.length > 1 ? stays : [stays[0]!];
          const id = asMaster || stays.length > 1 ? master : ids[0]!;
          const deadline = deadlineOf(stays[of % stays.length]!);
          const now = Math.max(Date.parse(testStart), Number.isFinite(deadline) ? deadline + shift : 0);
          const before = await getCancellation(guest, id);
          deps.clock.set(instantText(now));
          const quoted = await getCancellation(guest, id);
          const { refund, reservations } = await cancelBooking(guest, id);
          const inTime = chosen.filter((one) => one.paid && now <= deadlineOf(one));
          expect(refund.status).toBe(inTime.length > 0 ? 'REFUNDED' : 'NONE');
          expect(reservations.every(({ status }) => status === 'CANCELLED')).toBe(true);
          expect(quoted.refund_now).toEqual(refund);
          expect(saidOf(before, now)).toBe(refund.amount);
          expect(saidOf(quoted, now)).toBe(refund.amount);
          expect(quoted.schedule[0]?.refund).toBe(refund.amount);
        },
      ),
      { numRuns: 120 },
    );
  }, 120_000);

  it('has its deadlines in order, each with what is lost by it, the last without an end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stay, { minLength: 1, maxLength: 3 }), async (stays) => {
        deps.clock.set(testStart);
        const { master } = await book(stays);
        const { schedule, paid } = await getCancellation(guest, master);
        const ahead = stays.map(deadlineOf).filter((deadline) => deadline >= Date.parse(testStart));
        const ends = [...new Set(ahead)].sort((one, other) => one - other);
        expect(schedule.map(({ until }) => until)).toEqual([...ends.map(instantText), null]);
        const refunds = schedule.map(({ refund }) => refund);
        expect(refunds).toEqual([...refunds].sort((one, other) => other - one));
        expect(refunds[0]).toBeLessThanOrEqual(paid);
        expect(refunds.at(-1)).toBe(0);
        await cancelBooking(owner, master);
      }),
      { numRuns: 30 },
    );
  }, 60_000);

  it('by the host is quoted and refunded in full at any time', async () => {
    deps.clock.set(testStart);
    const date = { check_in_date: '2027-02-04', check_in_time: '14:00:00', timezone: 'Asia/Ho_Chi_Minh' };
    const { master } = await book([{ ...date, notice: null, paid: true }]);
    deps.clock.set('2027-02-04T06:59:59.999Z');
    const quoted = await getCancellation(owner, master);
    expect(quoted).toMatchObject({ can_cancel: true, schedule: [{ until: null, refund: quoted.paid }] });
    expect(await getCancellation(guest, master)).toMatchObject({ schedule: [{ until: null, refund: 0 }] });
    expect((await cancelBooking(owner, master)).refund).toEqual(quoted.refund_now);
    expect((await getBooking(guest, master)).payment_status).toBe('REFUNDED');
  });
});
