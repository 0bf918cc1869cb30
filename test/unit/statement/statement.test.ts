import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownPostings, type Reservation } from '../../../shared/domain/booking/model.ts';
import { balanceOf, type Posting, toReturnFor } from '../../../shared/domain/folio/model.ts';
import type { Listing } from '../../../shared/domain/listing/model.ts';
import { statementCsv } from '../../../shared/domain/statement/statement-csv.rules.ts';
import {
  monthOfStay,
  movesPrice,
  statementRows,
  withCommission,
} from '../../../shared/domain/statement/statement.rules.ts';
import { statementCsvExample, statementExample } from '../../../shared/domain/statement/statement.schema.ts';
import { addDays } from '../../../shared/platform/time/time.ts';
import { manyStays } from '../../support/many-stays.ts';

const zone = 'Asia/Ho_Chi_Minh';
const [base] = manyStays({ team_id: 71, count: 1, until: Date.parse('2027-01-01T00:00:00Z') });

/** A paid-for-nothing stay of two nights that begins on a date, booked on 10 January 2027. */
const stayOf = (given: Partial<Reservation> = {}, check_in_date = '2027-02-10', nights = 2): Reservation => {
  const check_out_date = addDays(check_in_date, nights);
  return {
    ...base!,
    ...{ listing_id: 4711, listing_name: 'Villa', timezone: zone, state: 'CONFIRMED', nights },
    ...{ check_in_date, check_out_date, currency: 'VND', total: 2_000_000 },
    ...{ start_at: `${check_in_date}T14:00:00`, end_at: `${check_out_date}T12:00:00` },
    ...{ created_at: '2027-01-10T03:00:00.000Z', updated_at: '2027-01-10T03:00:00.000Z' },
    ...given,
  };
};
const at = (instant: string) => ({ at: Date.parse(instant), actor: 'user:1' });
const paid = (amount: number, instant: string, more: Partial<Posting> = {}): Posting => ({
  ...{ kind: 'payment', amount, ...at(instant), collected_by: 'HOST', method: 'CASH', ...more },
});
const online = (amount: number, instant: string): Posting => ({
  ...{ kind: 'payment', amount, at: Date.parse(instant), payment_id: 16, reference: 'txn_16' },
});
const back = (of: number, amount: number, instant: string, more: Partial<Posting> = {}): Posting => ({
  ...{ kind: 'refund', amount, ...at(instant), of, ...more },
});

const rowsOf = (month: string, stays: Reservation[], listings: Listing[] = [], rate = 0) =>
  statementRows(
    month,
    stays
      .map((stay) => monthOfStay(stay, month))
      .map((one) => (movesPrice(one) ? withCommission(one, rate) : one)),
    listings,
  );
const rowOf = (month: string, ...stays: Reservation[]) => {
  const [row] = rowsOf(month, stays);
  return row!;
};
/** The money of a row by collector, without those who have none. */
const collectedIn = (month: string, ...stays: Reservation[]) =>
  Object.fromEntries(
    rowOf(month, ...stays)
      .collected.filter(({ payments, refunds }) => payments !== 0 || refunds !== 0)
      .map(({ collector, payments, refunds }) => [collector, [payments, refunds]]),
  );

describe('the statement of a month', () => {
  it('counts what was posted by the time zone of the stay, at the edges of the month', () => {
    const postings = [
      paid(1, '2027-01-31T16:59:59.999Z'),
      paid(20, '2027-01-31T17:00:00.000Z'),
      paid(300, '2027-02-28T16:59:59.999Z'),
      paid(4000, '2027-02-28T17:00:00.000Z'),
    ];
    expect(rowOf('2027-01', stayOf({ postings })).cash_on_hand).toBe(1);
    expect(rowOf('2027-02', stayOf({ postings })).cash_on_hand).toBe(320);
    expect(rowOf('2027-03', stayOf({ postings })).cash_on_hand).toBe(4000);
    const west = stayOf({ postings, timezone: 'America/Los_Angeles' });
    expect([rowOf('2027-01', west).cash_on_hand, rowOf('2027-02', west).cash_on_hand]).toEqual([21, 4300]);
  });

  it('counts the price when it was booked or changed, and each night in its own month', () => {
    const postings: Posting[] = [{ kind: 'change', amount: 500_000, ...at('2027-02-01T03:00:00Z') }];
    const stay = stayOf({ total: 3_500_000, postings }, '2027-02-26', 7);
    expect(rowOf('2027-01', stay)).toMatchObject({ gross: 3_000_000, nights_sold: 0, adr: null });
    expect(rowOf('2027-02', stay)).toMatchObject({ gross: 500_000, nights_sold: 3, room_revenue: 1_500_000 });
    expect(rowOf('2027-03', stay)).toMatchObject({ gross: 0, nights_sold: 4, adr: 500_000 });
    expect(rowsOf('2027-04', [stay])).toEqual([]);
  });

  it('takes the price out in the month in which a booking fell through, and keeps its fee', () => {
    const postings: Posting[] = [
      online(2_000_000, '2027-01-10T03:00:00Z'),
      { kind: 'charge', amount: 60_000, label: 'Minibar', ...at('2027-01-11T03:00:00Z') },
      { kind: 'fee', amount: 500_000, ...at('2027-02-05T03:00:00Z') },
      back(1, 1_500_000, '2027-02-05T03:00:00Z', { refund_id: 'cancel-1' }),
    ];
    const stay = stayOf({ state: 'CANCELLED', postings });
    const [first] = rowsOf('2027-01', [stay], [], 0.1);
    expect(first).toMatchObject({ gross: 2_000_000, charges: 60_000, commission: 200_000, net: 1_860_000 });
    expect(first).toMatchObject({ balance: 60_000, nights_sold: 0 });
    const [second] = rowsOf('2027-02', [stay], [], 0.1);
    expect(second).toMatchObject({ gross: -2_000_000, charges: -60_000, fees: 500_000, nights_sold: 0 });
    expect(second).toMatchObject({ commission: -200_000, net: -1_360_000, balance: -60_000 });
    expect(collectedIn('2027-02', stay)).toEqual({ GATEWAY: [0, 1_500_000] });
  });

  it('names who took the money and who refunded it, and the cash that is at hand', () => {
    const postings = [
      paid(700_000, '2027-02-01T03:00:00Z'),
      paid(300_000, '2027-02-01T03:00:00Z', { method: 'BANK_TRANSFER' }),
      online(400_000, '2027-02-01T03:00:00Z'),
      paid(100_000, '2027-02-01T03:00:00Z'),
      { kind: 'correction', amount: -100_000, of: 4, ...at('2027-02-02T03:00:00Z') } as const,
      back(1, 50_000, '2027-02-03T03:00:00Z'),
      back(1, 20_000, '2027-02-03T03:00:00Z', { to_return: true }),
      back(3, 10_000, '2027-02-03T03:00:00Z', { method: 'CASH' }),
      back(3, 5000, '2027-02-03T03:00:00Z', { refund_id: 'refund-1', is_due: true }),
      back(3, 3000, '2027-02-03T03:00:00Z', { refund_id: 'refund-2' }),
      back(2, 2000, '2027-02-03T03:00:00Z'),
    ];
    const stay = stayOf({ postings });
    expect(collectedIn('2027-02', stay)).toEqual({ HOST: [1_000_000, 82_000], GATEWAY: [400_000, 3000] });
    expect(rowOf('2027-02', stay)).toMatchObject({ cash_on_hand: 640_000, to_return: 20_000 });
    const partner = stayOf({
      postings: [
        paid(2_000_000, '2027-02-01T03:00:00Z', { collected_by: 'PARTNER' }),
        back(1, 500_000, '2027-02-02T03:00:00Z'),
        back(1, 200_000, '2027-02-02T03:00:00Z', { method: 'CASH', to_return: true }),
      ],
    });
    expect(collectedIn('2027-02', partner)).toEqual({ HOST: [0, 200_000], PARTNER: [2_000_000, 500_000] });
    expect(rowOf('2027-02', partner)).toMatchObject({ cash_on_hand: 0, to_return: 200_000 });
    expect(collectedIn('2027-02', stay, partner)).toMatchObject({ HOST: [1_000_000, 282_000] });
  });

  it('holds a security deposit as cash on hand alone; what is kept of it is a fee that is paid', () => {
    const deposit = (kind: 'taken' | 'returned' | 'kept', amount: number, day: string): Posting => ({
      ...{ kind: `deposit_${kind}`, amount, ...at(`2027-02-${day}T03:00:00Z`) },
      ...(kind === 'kept' ? {} : { method: 'CASH' }),
    });
    const held = stayOf({ postings: [deposit('taken', 500_000, '10')] });
    expect(rowOf('2027-02', held)).toMatchObject({ cash_on_hand: 500_000, fees: 0, balance: 0 });
    const postings = [...held.postings!, deposit('kept', 200_000, '12'), deposit('returned', 300_000, '12')];
    expect(rowOf('2027-02', stayOf({ postings }))).toMatchObject({
      ...{ cash_on_hand: 200_000, fees: 200_000, net: 200_000, balance: 0 },
    });
    expect(collectedIn('2027-02', stayOf({ postings }))).toEqual({ HOST: [200_000, 0] });
  });

  it('counts money that came before the booking on the day of the booking', () => {
    const received_at = Date.parse('2026-12-30T03:00:00Z');
    const stay = stayOf({ postings: [paid(2_000_000, '2027-01-12T03:00:00Z', { received_at })] });
    expect(rowsOf('2026-12', [stay])).toEqual([]);
    expect(rowOf('2027-01', stay)).toMatchObject({ gross: 2_000_000, balance: 0 });
  });

  it('counts nights until the guest left, and none of what waits, fell through or has no night', () => {
    const left = stayOf({ state: 'COMPLETED', checked_out_at: '2027-02-12T02:30:00.000Z' }, '2027-02-10', 4);
    expect(rowOf('2027-02', left)).toMatchObject({ nights_sold: 2, room_revenue: 2_000_000, adr: 1_000_000 });
    const others = [
      stayOf({ state: 'PENDING' }),
      stayOf({ state: 'NO_SHOW', no_show_at: '2027-02-11T03:00:00.000Z' }),
      stayOf({}, '2027-02-10', 0),
    ];
    expect(rowOf('2027-02', left, ...others)).toMatchObject({ nights_sold: 2, room_revenue: 2_000_000 });
  });

  it('has a row for each currency, and for active listings without bookings', () => {
    const listing = (id: number, given: Partial<Listing>) =>
      ({ id, name: `No. ${id}`, currency: 'VND', timezone: zone, state: 'ACTIVE', ...given }) as Listing;
    const stays = [stayOf(), stayOf({ currency: 'USD', total: 100.05 }), stayOf({ listing_id: 4712 })];
    const listings = [
      listing(4711, { created_at: '2026-01-01T00:00:00.000Z' }),
      listing(4713, { created_at: '2027-02-19T17:00:00.000Z' }),
      listing(4714, { created_at: '2027-03-01T17:00:00.000Z' }),
      listing(4715, { created_at: '2026-01-01T00:00:00.000Z', state: 'INACTIVE' }),
    ];
    const rows = rowsOf('2027-02', stays, listings);
    expect(
      rows.map((row) => [row.listing_id, row.currency, row.nights_sold, row.nights_available, row.occupancy]),
    ).toEqual([
      [4711, 'USD', 2, 28, 0.0714],
      [4711, 'VND', 2, 28, 0.0714],
      [4712, 'VND', 2, null, null],
      [4713, 'VND', 0, 9, 0],
      [4714, 'VND', 0, 0, null],
    ]);
    expect(rows.map(({ listing_name, revpar, adr }) => [listing_name, revpar, adr])).toEqual([
      ['No. 4711', 3.57, 50.03],
      ['No. 4711', 71_429, 1_000_000],
      ['Villa', null, 1_000_000],
      ['No. 4713', 0, null],
      ['No. 4714', null, null],
    ]);
  });

  it('has commission that leaves the earning of the quote', () => {
    const [row] = rowsOf('2027-01', [stayOf({ total: 333 })], [], 0.15);
    expect(row).toMatchObject({ gross: 333, commission: 50, net: 283 });
  });
});

/** Postings of any order and time, each of what can be taken back. */
const folios = fc
  .record({
    total: fc.integer({ min: 0, max: 9_000_000 }),
    state: fc.constantFrom('PENDING', 'CONFIRMED', 'COMPLETED', 'CANCELLED', 'NO_SHOW'),
    timezone: fc.constantFrom(zone, 'America/Los_Angeles', 'Pacific/Kiritimati'),
    nights: fc.integer({ min: 0, max: 70 }),
    begins: fc.integer({ min: 0, max: 150 }),
    steps: fc.array(
      fc.record({
        kind: fc.constantFrom('change', 'charge', 'payment', 'refund', 'correction', 'fee'),
        amount: fc.integer({ min: 1, max: 3_000_000 }),
        hours: fc.integer({ min: 0, max: 3000 }),
        early: fc.boolean(),
        collected_by: fc.constantFrom('HOST', 'PARTNER', undefined),
        method: fc.constantFrom('CASH', 'BANK_TRANSFER', undefined),
        isOpen: fc.boolean(),
      }),
      { maxLength: 12 },
    ),
  })
  .map(({ total, state, timezone, nights, begins, steps }) => {
    const postings: Posting[] = [];
    for (const { kind, amount, hours, early, collected_by, method, isOpen } of steps) {
      const payments = postings.flatMap((one, place) => (one.kind === 'payment' ? [place + 1] : []));
      const moment = Date.parse('2027-01-10T03:00:00Z') + hours * 3_600_000;
      const of = payments.at(amount % Math.max(1, payments.length));
      const posted = { kind, amount: kind === 'correction' ? -amount : amount, at: moment };
      if (kind === 'refund' || kind === 'correction') {
        if (of === undefined) continue;
        const how =
          kind === 'refund' && isOpen
            ? method
              ? { method, to_return: true as const }
              : { is_due: true as const }
            : {};
        postings.push({ ...posted, of, ...how });
      } else if (kind === 'payment') {
        const taken = collected_by
          ? { collected_by, method: method ?? ('CASH' as const) }
          : { payment_id: 16 };
        postings.push({ ...posted, ...taken, ...(early ? { received_at: moment - 40 * 86_400_000 } : {}) });
      } else if (kind !== 'fee' || state === 'CANCELLED' || state === 'NO_SHOW') postings.push(posted);
    }
    const given = { total, state, timezone, postings, updated_at: '2027-05-01T00:00:00.000Z' };
    return stayOf(given, addDays('2027-01-10', begins), nights);
  });

it('adds up over all months to the folio of the stay, and to its nights', () => {
  const months = Array.from({ length: 24 }, (_, step) => addDays('2026-11-15', step * 30.4375).slice(0, 7));
  const all = [...new Set(months)];
  fc.assert(
    fc.property(folios, (stay) => {
      const rows = all.flatMap((month) => rowsOf(month, [stay]));
      const total = (of: (row: (typeof rows)[number]) => number) =>
        rows.reduce((sum, row) => sum + of(row), 0);
      const shown = shownPostings(stay);
      const posted = (...kinds: string[]) =>
        shown.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { amount }) => sum + amount, 0);
      expect({
        gross: total((row) => row.gross),
        charges: total((row) => row.charges),
        fees: total((row) => row.fees),
        payments: total((row) => row.collected.reduce((sum, { payments }) => sum + payments, 0)),
        refunds: total((row) => row.collected.reduce((sum, { refunds }) => sum + refunds, 0)),
        to_return: total((row) => row.to_return),
      }).toEqual({
        gross: posted('stay', 'change'),
        charges: posted('charge'),
        fees: posted('fee'),
        payments: posted('payment', 'correction'),
        refunds: posted('refund'),
        to_return: toReturnFor(stay),
      });
      const { state, nights, postings = [] } = stay;
      const isStanding = state === 'CONFIRMED' || state === 'COMPLETED';
      expect(total((row) => row.nights_sold)).toBe(isStanding ? nights : 0);
      const isSettled = !postings.some(({ is_due }) => is_due);
      if (isSettled && (isStanding || postings.some(({ kind }) => kind === 'fee')))
        expect(total((row) => row.balance)).toBe(balanceOf(stay));
    }),
    { numRuns: 500 },
  );
});

describe('the CSV of a statement', () => {
  it('is the example for the example', () => {
    expect(statementCsv(statementExample)).toBe(statementCsvExample);
  });

  it('quotes names, begins no cell like a formula, and leaves null empty', () => {
    const [row] = statementExample.rows;
    const names = ['A "B", C', '=HYPERLINK(1)', '-5'];
    const rows = names.map((listing_name) => ({ ...row!, listing_name, occupancy: null, balance: -5 }));
    const lines = statementCsv({ month: '2027-02', rows }).split('\r\n');
    expect(lines[1]).toContain(`2027-02,4711,"A ""B"", C",VND,1,28,,`);
    expect(lines[2]).toContain(",'=HYPERLINK(1),");
    expect(lines[3]).toContain(",'-5,");
    expect(lines[3]).toMatch(/,-5,\d+,0$/);
    expect(lines[4]).toBe('');
  });
});
