import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AvailabilityEntry } from '../../../shared/domain/calendar/calendar.store.ts';
import {
  affectsListing,
  type LocalRange,
  overlaps,
} from '../../../shared/domain/calendar/listing-time.rules.ts';
import { wholeHours } from '../../../shared/domain/calendar/hours.rules.ts';
import {
  calendarText,
  emptyCalendar,
  eventsOf,
  eventTimes,
} from '../../../shared/domain/ical/feed-events.ts';
import { readFeed } from '../../../shared/domain/ical/reading/read-feed.ts';
import type { FeedListing } from '../../../shared/domain/ical/reading/taken-time.ts';
import { nightOf } from '../../../shared/domain/pricing/rate-card.rules.ts';
import { addDays, addHours, datesBetween, toInstant, toLocal } from '../../../shared/platform/time/time.ts';

const listing: FeedListing = { timezone: 'Asia/Ho_Chi_Minh' };
const now = Date.parse('2027-02-01T00:00:00Z');

const entryOf = (range: LocalRange, availability_id = 7): AvailabilityEntry => ({
  ...range,
  availability_id,
  calendar_id: 1,
  listing_id: 1,
  state: 'BOOKED',
  reservation_id: null,
  order_id: null,
  locked_until: null,
  note: null,
  created_at: '2027-01-15T03:00:00.000Z',
});

const feedWith = (entries: readonly AvailabilityEntry[], of: FeedListing): string =>
  calendarText([
    ['BEGIN', 'VCALENDAR'],
    ...entries.flatMap((entry) => eventsOf(entry, of)),
    ['END', 'VCALENDAR'],
  ]);

/** The dates of the all-day event that an entry is. */
const nightsOf = (range: LocalRange, of: FeedListing): string[] => {
  const [event] = eventTimes(range, of);
  if (event?.time.kind !== 'nights') throw new Error(`${range.start_at} is no nights`);
  return datesBetween(event.time.from, event.time.to);
};

const minutesLater = (local: string, minutes: number): string =>
  new Date(Date.parse(`${local}Z`) + minutes * 60_000).toISOString().slice(0, 19);

describe('the time of an event', () => {
  it.each([
    ['an overnight stay', '2027-02-04T14:00:00', '2027-02-07T12:00:00', '2027-02-04', '2027-02-06'],
    ['one night over a month', '2027-01-31T14:00:00', '2027-02-01T12:00:00', '2027-01-31', '2027-01-31'],
    ['one night over a year', '2027-12-31T22:00:00', '2028-01-01T11:00:00', '2027-12-31', '2027-12-31'],
    ['29 February', '2028-02-28T14:00:00', '2028-03-01T12:00:00', '2028-02-28', '2028-02-29'],
    ['a check-out in the evening', '2027-05-01T14:00:00', '2027-05-03T18:00:00', '2027-05-01', '2027-05-03'],
    ['a check-out at 23:30', '2027-02-04T14:00:00', '2027-02-05T23:30:00', '2027-02-04', '2027-02-05'],
    ['a check-in in the morning', '2027-05-10T08:00:00', '2027-05-11T12:00:00', '2027-05-09', '2027-05-10'],
    ['a check-in after midnight', '2027-02-04T00:00:00', '2027-02-05T12:00:00', '2027-02-03', '2027-02-04'],
    ['a block by day', '2027-06-01T08:00:00', '2027-06-02T18:00:00', '2027-05-31', '2027-06-02'],
    ['a block to midnight', '2027-06-05T14:00:00', '2027-06-07T00:00:00', '2027-06-05', '2027-06-06'],
    ['a block to 23:59:59', '2027-06-22T13:00:00', '2027-06-23T23:59:59', '2027-06-22', '2027-06-23'],
    ['a block to 15:00', '2027-06-26T22:00:00', '2027-06-27T15:00:00', '2027-06-26', '2027-06-27'],
    ['a block of one day', '2027-06-10T00:00:00', '2027-06-11T00:00:00', '2027-06-09', '2027-06-10'],
    ['a block of three days', '2027-02-04T00:00:00', '2027-02-07T00:00:00', '2027-02-03', '2027-02-06'],
    ['a day but for some minutes', '2027-06-10T00:20:00', '2027-06-10T23:30:00', '2027-06-09', '2027-06-10'],
  ])('%s is every night that it takes hours of', (_, start_at, end_at, first, last) => {
    expect(nightsOf({ start_at, end_at }, listing)).toEqual(datesBetween(first, addDays(last, 1)));
  });

  it('is judged by the hours of the listing, whole ones', () => {
    const late = { ...listing, standard_check_in_time: '18:30:00', standard_check_out_time: '00:00:00' };
    const stay = { start_at: '2027-06-10T18:30:00', end_at: '2027-06-12T18:00:00' };
    expect(nightsOf(stay, late)).toEqual(['2027-06-10', '2027-06-11']);
    expect(nightsOf({ ...stay, end_at: '2027-06-12T18:01:00' }, late).at(-1)).toBe('2027-06-12');
    expect(
      nightsOf({ start_at: '2027-06-10T00:00:00', end_at: '2027-06-11T00:00:00' }, late),
      'the listing is empty in the morning',
    ).toEqual(['2027-06-10']);
    const tight = { ...listing, standard_check_in_time: '14:00:00', standard_check_out_time: '14:30:00' };
    expect(
      nightsOf({ start_at: '2027-06-10T14:00:00', end_at: '2027-06-11T14:30:00' }, tight),
      'nights that share an hour exclude each other',
    ).toEqual(['2027-06-09', '2027-06-10', '2027-06-11']);
  });

  it.each([
    ['day use', '2027-02-04T09:00:00', '2027-02-04T18:00:00', '2027-02-04T02:00Z', '2027-02-04T11:00Z'],
    ['an evening', '2027-02-04T20:00:00', '2027-02-05T00:00:00', '2027-02-04T13:00Z', '2027-02-04T17:00Z'],
    ['quarters', '2027-02-04T20:15:00', '2027-02-04T23:45:00', '2027-02-04T13:15Z', '2027-02-04T16:45Z'],
    [
      'the first hour',
      '2027-02-04T00:00:00',
      '2027-02-04T01:00:00',
      '2027-02-03T17:00Z',
      '2027-02-03T18:00Z',
    ],
  ])('%s is its hours', (_, start_at, end_at, from, to) => {
    expect(eventTimes({ start_at, end_at }, listing)).toEqual([
      { part: '', time: { kind: 'hours', from: Date.parse(from), to: Date.parse(to) } },
    ]);
  });

  it('never ends before it begins, also in an hour that daylight saving skips', () => {
    const skipped = { start_at: '2027-03-14T02:00:00', end_at: '2027-03-14T03:00:00' };
    const [event] = eventTimes(skipped, { timezone: 'America/New_York' });
    expect(event?.time.kind === 'hours' && event.time.to > event.time.from).toBe(true);
  });

  it('has hours between check-out and check-in beside its nights, under UIDs of their own', () => {
    const stay = entryOf({ start_at: '2027-05-01T12:30:00', end_at: '2027-05-03T13:00:00' });
    expect(eventTimes(stay, listing)).toEqual([
      { part: '', time: { kind: 'nights', from: '2027-05-01', to: '2027-05-03' } },
      {
        part: '-before',
        time: {
          kind: 'hours',
          from: Date.parse('2027-05-01T05:00Z'),
          to: Date.parse('2027-05-01T07:00Z'),
        },
      },
      {
        part: '-after',
        time: {
          kind: 'hours',
          from: Date.parse('2027-05-03T05:00Z'),
          to: Date.parse('2027-05-03T06:00Z'),
        },
      },
    ]);
    const uids = eventsOf(stay, listing).flatMap(([name, value]) => (name === 'UID' ? [value] : []));
    expect(uids).toEqual(['7@nightlatch', '7-before@nightlatch', '7-after@nightlatch']);
  });
});

const time = (from: number): fc.Arbitrary<string> =>
  fc
    .record({ hour: fc.integer({ min: from, max: 23 }), minute: fc.constantFrom('00:00', '30:00', '59:59') })
    .map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${minute}`);

const listingIn = (timezone: string, from: number): fc.Arbitrary<FeedListing> =>
  fc.record({
    timezone: fc.constant(timezone),
    standard_check_in_time: fc.option(time(from)),
    standard_check_out_time: fc.option(time(from)),
  });

/** Where clocks change at night no stay starts or ends at that hour. */
const anyListing = fc.oneof(
  listingIn('Asia/Ho_Chi_Minh', 0),
  listingIn('UTC', 0),
  listingIn('America/New_York', 4),
  listingIn('Europe/Paris', 4),
);

const isOvernight = (range: LocalRange): boolean => {
  const { start_at, end_at } = wholeHours(range);
  return addHours(end_at, -1).slice(0, 10) > start_at.slice(0, 10) || addHours(start_at, 24) === end_at;
};

/** Across the nights on which clocks change, in both halves of the year. */
const overnight: fc.Arbitrary<LocalRange> = fc
  .record({
    day: fc.oneof(fc.integer({ min: 8, max: 16 }), fc.integer({ min: 235, max: 280 })),
    minute: fc.oneof(
      fc.integer({ min: 0, max: 24 * 60 - 1 }),
      fc.integer({ min: 0, max: 23 }).map((hour) => hour * 60),
    ),
    length: fc.oneof(
      fc.integer({ min: 1, max: 5 * 24 * 60 }),
      fc.integer({ min: 1, max: 120 }).map((hours) => hours * 60),
    ),
  })
  .map(({ day, minute, length }) => {
    const start_at = minutesLater(`${addDays('2027-03-01', day)}T00:00:00`, minute);
    return { start_at, end_at: minutesLater(start_at, length) };
  })
  .filter(isOvernight);

const hoursOf = (range: LocalRange, { timezone }: FeedListing): string[] => {
  const { start_at, end_at } = wholeHours(range);
  const hours: string[] = [];
  for (let at = start_at; at < end_at; at = addHours(at, 1)) hours.push(at);
  return hours.filter((hour) => toLocal(toInstant(hour, timezone), timezone) === hour);
};

const datesAround = ({ start_at, end_at }: LocalRange): string[] =>
  datesBetween(addDays(start_at.slice(0, 10), -3), addDays(end_at.slice(0, 10), 4));

/** Nights that share no hour: what an all-day event takes is exactly its nights. */
const sharesNoHour = (of: FeedListing): boolean =>
  !overlaps(nightOf(of, '2027-05-01'), nightOf(of, '2027-05-02'));

describe('what is exported and read again', () => {
  const stays = fc.array(overnight, { minLength: 1, maxLength: 4 });
  const importedFrom = (ranges: readonly LocalRange[], of: FeedListing) =>
    readFeed(feedWith(ranges.map(entryOf), of), of, now).events;

  it('takes every hour that was taken', () => {
    fc.assert(
      fc.property(anyListing, stays, (of, ranges) => {
        const imported = importedFrom(ranges, of);
        for (const hour of ranges.flatMap((range) => hoursOf(range, of)))
          expect(
            imported.some((event) => overlaps(event, { start_at: hour, end_at: addHours(hour, 1) })),
            hour,
          ).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('leaves the nights free that were', () => {
    fc.assert(
      fc.property(anyListing.filter(sharesNoHour), stays, (of, ranges) => {
        const imported = importedFrom(ranges, of);
        for (const night of ranges.flatMap(datesAround).map((date) => nightOf(of, date)))
          expect(
            imported.some((event) => overlaps(event, night)),
            night.start_at,
          ).toBe(ranges.some((range) => overlaps(wholeHours(range), night)));
      }),
      { numRuns: 300 },
    );
  });

  it('names exactly the nights that cannot be booked', () => {
    fc.assert(
      fc.property(anyListing, overnight, (of, range) => {
        const unbookable = datesAround(range).filter((date) =>
          overlaps(nightOf(of, date), wholeHours(range)),
        );
        expect(nightsOf(range, of)).toEqual(unbookable);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps stays that touch, or whose nights meet, apart and whole', () => {
    const ranges = [
      { start_at: '2027-05-01T14:00:00', end_at: '2027-05-03T12:00:00' },
      { start_at: '2027-05-03T12:00:00', end_at: '2027-05-05T18:00:00' },
      { start_at: '2027-05-05T18:00:00', end_at: '2027-05-06T12:00:00' },
    ];
    const spans = (kept: LocalRange[]) =>
      importedFrom(kept, listing).map(
        ({ start_at, end_at }) => `${start_at.slice(5, 13)} ${end_at.slice(5, 13)}`,
      );
    const [first, second, third] = ['05-01T14 05-03T12', '05-03T14 05-06T12', '05-05T14 05-06T12'];
    expect(spans(ranges)).toEqual([first, second, '05-03T12 05-03T14', third]);
    expect(spans(ranges.toSpliced(1, 1)), 'each goes alone').toEqual([first, third]);
  });

  it('is a calendar with a component where nothing is taken', () => {
    const text = calendarText([['BEGIN', 'VCALENDAR'], ...emptyCalendar, ['END', 'VCALENDAR']]);
    expect(text).toContain('BEGIN:VTIMEZONE\r\nTZID:UTC\r\n');
    expect(readFeed(text, listing, now).events).toEqual([]);
  });
});

describe('whose hours are whose', () => {
  const family = (listing_id: number) => ({ listing_id, calendar_id: 1 });
  it.each([
    ['its own', 1, 1, true],
    ["a parent takes its child's", 2, 1, true],
    ["a child takes its parent's", 1, 2, true],
    ['siblings stay apart', 2, 3, false],
  ])('%s', (_, of, one, taken) => {
    expect(affectsListing(family(of), one)).toBe(taken);
  });
});
