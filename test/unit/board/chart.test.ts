import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import type { ListingCalendar, TakenStretch } from '../../../client/dist/index.d.ts';
import { askedOf, placeOf, typed } from '../../../board/src/change/asked.ts';
import { freeHomes, nearestFree, takersOf } from '../../../board/src/chart/free.ts';
import { joined } from '../../../board/src/chart/homes.ts';
import { dragged, gripAt, placeAt } from '../../../board/src/chart/place.ts';
import { changesOn, limited, limitsOn } from '../../../board/src/nights/stay-rules.ts';

describe('what is dragged in the chart', () => {
  it('is at the day and home of a point, also before the first ones', () => {
    expect(placeAt({ dayWidth: 56 }, 0, 0)).toEqual({ day: 0, row: 0 });
    expect(placeAt({ dayWidth: 56 }, 55.9, 43.9)).toEqual({ day: 0, row: 0 });
    expect(placeAt({ dayWidth: 56 }, 56, 44)).toEqual({ day: 1, row: 1 });
    expect(placeAt({ dayWidth: 768 }, 767, 0)).toEqual({ day: 0, row: 0 });
    expect(placeAt({ dayWidth: 56 }, -1, -1)).toEqual({ day: -1, row: -1 });
  });

  it('is a stay or its ends, which a finger finds more easily, and which leave a short stay its middle', () => {
    expect([3, 12, 100, 195].map((x) => gripAt(x, 200, 'mouse'))).toEqual(['START', 'MOVE', 'MOVE', 'END']);
    expect([3, 12, 100, 185].map((x) => gripAt(x, 200, 'touch'))).toEqual(['START', 'START', 'MOVE', 'END']);
    expect([7, 12, 29, 33].map((x) => gripAt(x, 40, 'touch'))).toEqual(['START', 'MOVE', 'MOVE', 'END']);
  });

  const span = { row: 2, day: 10, nights: 3 };
  const from = { row: 2, day: 11 };
  it.each([
    ['MOVE', { row: 4, day: 9 }, { row: 4, day: 8, nights: 3 }],
    ['START', { row: 9, day: 9 }, { row: 2, day: 8, nights: 5 }],
    ['START', { row: 2, day: 30 }, { row: 2, day: 12, nights: 1 }],
    ['END', { row: 0, day: 13 }, { row: 2, day: 10, nights: 5 }],
    ['END', { row: 2, day: 1 }, { row: 2, day: 10, nights: 1 }],
    ['NIGHTS', { row: 5, day: 14 }, { row: 2, day: 11, nights: 4 }],
    ['NIGHTS', { row: 2, day: 9 }, { row: 2, day: 9, nights: 3 }],
  ] as const)('%s to %o is %o', (grip, to, end) => {
    expect(dragged(span, grip, from, to)).toEqual(end);
  });

  it('keeps a day use a day use', () => {
    expect(dragged({ ...span, nights: 0 }, 'END', from, { row: 3, day: 12 })).toEqual({
      ...{ row: 3, day: 11, nights: 0 },
    });
  });
});

const entry = (start: string, end: string, more: Partial<TakenStretch> = {}) =>
  ({
    kind: 'STAY',
    booking_id: 1,
    start_at: `${start}T14:00:00`,
    end_at: `${end}T12:00:00`,
    ...more,
  }) as TakenStretch;
const homeOf = (
  free: readonly number[],
  entries: readonly TakenStretch[] = [],
  more: Readonly<Record<number, object>> = {},
  listing_id = 7,
) =>
  ({
    ...{ listing_id, timezone: 'Asia/Ho_Chi_Minh', entries },
    nights: free.map((day) => ({
      ...{ date: `2027-03-${String(day).padStart(2, '0')}`, price: 1 },
      ...{ min_nights: 1, closed: false, closed_to_arrival: false, ...more[day] },
    })),
  }) as unknown as ListingCalendar;
const wanted = {
  ...{ listing_id: 7, check_in_date: '2027-03-10', check_out_date: '2027-03-12' },
  ...{ start_at: '2027-03-10T14:00:00', end_at: '2027-03-12T12:00:00' },
};
const early = Temporal.Instant.from('2027-01-01T00:00:00Z');
const startsOf = (home: ListingCalendar, more: object = {}, now = early) =>
  nearestFree({ ...wanted, ...more }, [home], now).map(({ check_in_date: date }) => Number(date.slice(8)));

describe('what several readings say of a home', () => {
  it('is one: what one has cut at its end goes on in the next', () => {
    const block = { kind: 'IMPORTED', availability_id: 4 } as const;
    const [first, rest] = [
      { ...entry('2027-03-10', '2027-03-11', block), end_at: '2027-03-11T00:00:00' },
      { ...entry('2027-03-11', '2027-03-13', block), start_at: '2027-03-11T00:00:00' },
    ];
    const other = { ...rest, availability_id: 5, start_at: '2027-03-14T00:00:00' };
    const [home] = joined([homeOf([9], [first])], [homeOf([13], [rest, other])]);
    expect(home?.entries).toEqual([{ ...first, end_at: rest.end_at }, other]);
    // The same reading once more adds nothing.
    expect(joined([home!], [homeOf([], [rest, other])])[0]?.entries).toEqual(home?.entries);
    expect(home?.nights.map(({ date }) => date)).toEqual(['2027-03-09', '2027-03-13']);
    const stay = entry('2027-03-10', '2027-03-12');
    expect(joined([homeOf([], [stay])], [homeOf([], [stay])])[0]?.entries).toEqual([stay]);
  });
});

describe('what is free instead of time that is taken', () => {
  it('is what takes the time, by the hour, and not the stay itself', () => {
    const entries = [entry('2027-03-08', '2027-03-10'), entry('2027-03-11', '2027-03-13', { booking_id: 2 })];
    expect(takersOf(wanted, [homeOf([], entries)])).toEqual([entries[1]]);
    expect(takersOf({ ...wanted, booking_id: 2 }, [homeOf([], entries)])).toEqual([]);
    expect(takersOf({ ...wanted, start_at: '2027-03-10T11:00:00' }, [homeOf([], entries)])).toEqual(entries);
  });

  it('is the nearest free time that is as long, the later one first', () => {
    expect(startsOf(homeOf([5, 6, 7, 8, 13, 14, 20, 21]))).toEqual([13, 7, 6]);
    expect(startsOf(homeOf([8, 10, 13]))).toEqual([]);
    expect(startsOf(homeOf([10, 11]))).toEqual([10]);
  });

  it('keeps to the rules, and is not in the past of the home', () => {
    const free = [6, 7, 13, 14, 15];
    expect(startsOf(homeOf(free, [], { 13: { closed_to_arrival: true } }))).toEqual([14, 6]);
    expect(startsOf(homeOf(free, [], { 13: { min_nights: 3 } }))).toEqual([14, 6]);
    expect(startsOf(homeOf(free, [], { 14: { closed: true } }))).toEqual([6]);
    // In Hồ Chí Minh City it is the 7th already.
    expect(startsOf(homeOf(free), {}, Temporal.Instant.from('2027-03-06T18:00:00Z'))).toEqual([13, 14]);
  });

  it('has the nights of the stay that moves', () => {
    const home = homeOf([9], [entry('2027-03-07', '2027-03-09', { booking_id: 5 })]);
    expect(startsOf(home)).toEqual([]);
    expect(startsOf(home, { booking_id: 5 })).toEqual([8, 7]);
  });

  it('is another home that is free then', () => {
    const homes = [homeOf([10, 11]), homeOf([10, 11], [], {}, 8), homeOf([10], [], {}, 9)];
    expect(freeHomes(wanted, homes).map(({ listing_id }) => listing_id)).toEqual([8]);
  });
});

const none = {
  min_nights: null,
  max_nights: null,
  closed_to_arrival: null,
  closed_to_departure: null,
  closed: null,
};
const open = { min_nights: null, closed_to_arrival: false, closed_to_departure: false, closed: false };
const rulesOf = (date_rules: object[], usual: object = {}) =>
  ({
    ...{ default: { ...none, ...usual }, min_notice_hours: 4, booking_window_days: null },
    date_rules: date_rules.map((rule) => ({ ...none, weekdays: null, ...rule })),
  }) as Parameters<typeof limited>[0];
const days = { from: '2027-03-10', to: '2027-03-12' };

describe('the stay rules of some dates', () => {
  const week = { id: 3, date_from: '2027-03-08', date_to: '2027-03-14' };

  it('take the place of what was said of these dates, and of these alone', () => {
    const was = rulesOf([{ ...week, min_nights: 5, weekdays: [1, 2, 3, 4, 5] }]);
    const next = limited(was, days, { ...open, min_nights: 2, closed: true });
    expect(next).toMatchObject({ min_notice_hours: 4, default: none });
    expect(next.date_rules).toEqual([
      {
        ...none,
        id: 3,
        date_from: '2027-03-08',
        date_to: '2027-03-09',
        min_nights: 5,
        weekdays: [1, 2, 3, 4, 5],
      },
      { ...none, date_from: '2027-03-13', date_to: '2027-03-14', min_nights: 5, weekdays: [1, 2, 3, 4, 5] },
      {
        date_from: days.from,
        date_to: days.to,
        min_nights: 2,
        closed: true,
        closed_to_arrival: null,
        closed_to_departure: null,
      },
    ]);
  });

  it('are removed where nothing is set; the most nights, which the board does not set, stay', () => {
    const was = rulesOf([
      { ...week, ...{ date_from: days.from, date_to: days.to }, min_nights: 5, max_nights: 9 },
    ]);
    expect(limited(was, days, open).date_rules).toEqual([
      { ...none, weekdays: null, id: 3, date_from: days.from, date_to: days.to, max_nights: 9 },
    ]);
    expect(
      limited(rulesOf([{ ...week, closed: true }]), { from: week.date_from, to: week.date_to }, open),
    ).toMatchObject({
      date_rules: [],
    });
  });

  it('lift the usual rules of the home, which a missing rule would leave', () => {
    const was = rulesOf([], { closed_to_arrival: true });
    const next = limited(was, days, open);
    expect(limitsOn(was, '2027-03-10').closed_to_arrival).toBe(true);
    expect(limitsOn(next, '2027-03-10').closed_to_arrival).toBe(false);
    expect(limitsOn(next, '2027-03-13').closed_to_arrival).toBe(true);
  });

  it('are shown from date to date with the same change; a later rule wins, on its weekdays', () => {
    // 2027-03-12 is a Friday.
    const was = rulesOf([
      { ...week, min_nights: 2 },
      { ...week, id: 4, weekdays: [5], min_nights: 4 },
    ]);
    const next = limited(was, days, { ...open, min_nights: 4 });
    expect(changesOn(was, next, days)).toEqual([
      {
        ...{ date_from: '2027-03-10', date_to: '2027-03-11' },
        ...{ before: { ...open, min_nights: 2 }, after: { ...open, min_nights: 4 } },
      },
    ]);
    expect(changesOn(rulesOf([]), limited(rulesOf([]), days, { ...open, min_nights: 1 }), days)).toEqual([]);
    expect(changesOn(was, was, { from: '2027-01-01', to: '9999-12-31' })).toBeUndefined();
  });
});

describe('what is asked of a change', () => {
  const was = { listing: '7', from: '2027-03-10', to: '2027-03-12', guests: '2' };
  it('is what differs alone, with how its price is settled', () => {
    expect(askedOf(was, {})).toBeUndefined();
    expect(askedOf(was, { keep: 'yes' })).toBeUndefined();
    expect(askedOf(was, { to: '' })).toBeUndefined();
    expect(askedOf(was, { guests: '2.5' })).toBeUndefined();
    expect(askedOf(was, { to: '2027-03-13' })).toEqual({ check_out_date: '2027-03-13' });
    expect(
      askedOf(was, { listing: '8', guests: '3', from: '2027-03-09', keep: 'yes', later: '', credit: 'yes' }),
    ).toEqual({
      ...{ listing_id: 8, check_in_date: '2027-03-09', guest_number: 3, price: 'KEEP', as_credit: true },
    });
  });

  it('is of the stay itself, not of another one of its order', () => {
    const reservations = [
      { id: 1, check_in: '2027-03-01', check_out: '2027-03-02' },
      { id: 2, check_in: was.from, check_out: was.to },
    ];
    const booking = { id: 2, listing_id: '7', guests: 2, reservations };
    expect(placeOf(booking as unknown as Parameters<typeof placeOf>[0])).toEqual(was);
  });

  it('has a departure after the arrival, as long after it as before', () => {
    expect(askedOf(was, { to: '2027-03-09' })).toBeUndefined();
    expect(typed(was, 'from', '2027-03-11')).toEqual({ from: '2027-03-11' });
    expect(typed(was, 'from', '2027-03-20')).toEqual({ from: '2027-03-20', to: '2027-03-22' });
    expect(typed(was, 'from', '')).toEqual({ from: '' });
    expect(typed(was, 'to', '2027-03-01')).toEqual({ to: '2027-03-01' });
    expect(typed({ ...was, to: '' }, 'from', '2027-03-20')).toEqual({ from: '2027-03-20' });
    const dayUse = { ...was, to: was.from };
    expect(typed(dayUse, 'from', '2027-03-20')).toEqual({ from: '2027-03-20', to: '2027-03-20' });
  });
});
