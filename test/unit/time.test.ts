import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  addHours,
  addSeconds,
  atTime,
  ceilHour,
  dateOf,
  dateOfDay,
  datesBetween,
  dayNumber,
  defaultTimeZone,
  floorHour,
  hoursBetween,
  isDate,
  isInstant,
  isSameTimeZone,
  isLocalDateTime,
  isTime,
  isTimeZone,
  nightsBetween,
  timeOf,
  today,
  toInstant,
  toLocal,
  weekday,
} from '../../shared/platform/time/time.ts';

describe('calendar dates', () => {
  test.each([
    ['2027-02-28', true],
    ['2027-02-29', false],
    ['2028-02-29', true],
    ['2100-02-29', false],
    ['2000-02-29', true],
    ['2027-02-30', false],
    ['2027-04-31', false],
    ['2027-13-01', false],
    ['2027-00-10', false],
    ['2027-1-1', false],
    ['2027-01-01T00:00:00', false],
    [' 2027-01-01', false],
    ['20270101', false],
    ['+002027-01-01', false],
    ['', false],
  ])('%j is a real date: %s', (text, real) => {
    expect(isDate(text)).toBe(real);
  });

  test.each([
    ['2027-02-28', 1, '2027-03-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2027-12-31', 1, '2028-01-01'],
    ['2027-03-01', -1, '2027-02-28'],
    ['2027-03-13', 2, '2027-03-15'], // daylight saving in New York
    ['2027-01-01', 0, '2027-01-01'],
    ['2027-01-01', 730, '2028-12-31'],
  ])('%s and %d days is %s', (date, days, expected) => {
    expect(addDays(date, days)).toBe(expected);
  });

  test.each([
    ['2027-02-04', '2027-02-07', 3],
    ['2028-02-28', '2028-03-01', 2],
    ['2027-03-27', '2027-03-29', 2], // daylight saving in Berlin
    ['2027-02-04', '2027-02-04', 0],
    ['2027-02-05', '2027-02-04', -1],
  ])('%s to %s is %d nights', (from, to, nights) => {
    expect(nightsBetween(from, to)).toBe(nights);
  });

  test('the nights of a stay leave the day of departure out', () => {
    expect(datesBetween('2027-02-27', '2027-03-01')).toEqual(['2027-02-27', '2027-02-28']);
    expect(datesBetween('2027-03-01', '2027-03-01')).toEqual([]);
    expect(datesBetween('2027-03-02', '2027-03-01')).toEqual([]);
  });

  test.each([
    ['2027-02-07', 0],
    ['2027-02-04', 4],
    ['2027-02-06', 6],
    ['2028-02-29', 2],
  ])('the weekday of %s is %d, 0 being Sunday', (date, day) => {
    expect(weekday(date)).toBe(day);
  });
});

describe('times and local datetimes', () => {
  test.each([
    ['00:00:00', true],
    ['23:59:59', true],
    ['24:00:00', false],
    ['12:60:00', false],
    ['12:00', false],
    ['1:00:00', false],
  ])('%j is a time: %s', (text, real) => {
    expect(isTime(text)).toBe(real);
  });

  test.each([
    ['2027-02-04T14:00:00', true],
    ['2027-02-30T14:00:00', false],
    ['2027-02-04 14:00:00', false],
    ['2027-02-04T14:00:00Z', false],
    ['2027-02-04T24:00:00', false],
  ])('%j is a local datetime: %s', (text, real) => {
    expect(isLocalDateTime(text)).toBe(real);
  });

  test.each([
    ['2027-02-04T14:00:00Z', true],
    ['2027-02-04T14:00:00.123Z', true],
    ['2027-02-04T14:00:00+07:00', true],
    ['2027-02-04T14:00:00+25:00', false],
    ['2027-02-30T14:00:00Z', false],
    ['2027-02-04T14:00:00', false],
    ['2027-02-04', false],
  ])('%j is an instant: %s', (text, real) => {
    expect(isInstant(text)).toBe(real);
  });

  test('come apart and together', () => {
    const local = atTime('2027-02-04', '14:30:00');
    expect([local, dateOf(local), timeOf(local)]).toEqual(['2027-02-04T14:30:00', '2027-02-04', '14:30:00']);
  });

  test('move on the wall clock, over midnight and the end of a month', () => {
    expect(addHours('2027-02-28T23:30:00', 1)).toBe('2027-03-01T00:30:00');
    expect(addHours('2027-03-01T00:30:00', -1)).toBe('2027-02-28T23:30:00');
    expect(hoursBetween('2027-02-28T22:00:00', '2027-03-01T01:30:00')).toBe(3.5);
  });

  test.each([
    ['2027-02-28T23:00:00', '2027-02-28T23:00:00', '2027-02-28T23:00:00'],
    ['2027-02-28T23:00:01', '2027-02-28T23:00:00', '2027-03-01T00:00:00'],
    ['2027-02-28T23:59:59', '2027-02-28T23:00:00', '2027-03-01T00:00:00'],
  ])('%s lies between the hours %s and %s', (local, floor, ceil) => {
    expect([floorHour(local), ceilHour(local)]).toEqual([floor, ceil]);
  });
});

describe('time zones', () => {
  test.each(['Asia/Ho_Chi_Minh', 'America/New_York', 'UTC', 'Europe/Berlin', 'Asia/Kathmandu'])(
    '%s is one',
    (zone) => {
      expect(isTimeZone(zone)).toBe(true);
    },
  );

  test('two names may mean the same zone, the same offset does not', () => {
    expect(isSameTimeZone('Asia/Ho_Chi_Minh', 'Asia/Saigon')).toBe(true);
    expect(isSameTimeZone('Asia/Kolkata', 'asia/calcutta')).toBe(true);
    expect(isSameTimeZone('Asia/Ho_Chi_Minh', 'Asia/Bangkok')).toBe(false);
    expect(isSameTimeZone('America/New_York', 'America/Chicago')).toBe(false);
  });

  test.each(['+07:00', '-05:00', 'Mars/Olympus', '', 'Asia/Ho Chi Minh', '7'])('%j is none', (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });

  test.each([
    ['Asia/Ho_Chi_Minh', '2027-02-04T14:00:00', '2027-02-04T07:00:00Z'],
    ['Asia/Kathmandu', '2027-02-04T14:00:00', '2027-02-04T08:15:00Z'],
    ['America/New_York', '2027-01-15T14:00:00', '2027-01-15T19:00:00Z'],
    ['America/New_York', '2027-07-15T14:00:00', '2027-07-15T18:00:00Z'],
    ['America/New_York', '2027-03-14T01:59:59', '2027-03-14T06:59:59Z'],
    ['America/New_York', '2027-03-14T03:00:00', '2027-03-14T07:00:00Z'],
    ['Pacific/Kiritimati', '2027-01-01T00:00:00', '2026-12-31T10:00:00Z'],
    ['UTC', '2028-02-29T23:59:59', '2028-02-29T23:59:59Z'],
  ])('in %s it is %s at %s', (zone, local, instant) => {
    expect(toInstant(local, zone)).toBe(Date.parse(instant));
    expect(toLocal(Date.parse(instant), zone)).toBe(local);
  });

  test.each([
    [
      'New York skips 02:30 on 2027-03-14: it counts as 03:30',
      'America/New_York',
      '2027-03-14T02:30:00',
      '2027-03-14T07:30:00Z',
    ],
    [
      'Berlin skips 02:30 on 2027-03-28: it counts as 03:30',
      'Europe/Berlin',
      '2027-03-28T02:30:00',
      '2027-03-28T01:30:00Z',
    ],
    [
      'Lord Howe skips half an hour on 2027-10-03: 02:10 counts as 02:40',
      'Australia/Lord_Howe',
      '2027-10-03T02:10:00',
      '2027-10-02T15:40:00Z',
    ],
    [
      'Apia skipped 2011-12-30 altogether: noon counts as noon of the 31st',
      'Pacific/Apia',
      '2011-12-30T12:00:00',
      '2011-12-30T22:00:00Z',
    ],
    [
      'New York has 01:30 twice on 2027-11-07: the earlier',
      'America/New_York',
      '2027-11-07T01:30:00',
      '2027-11-07T05:30:00Z',
    ],
    [
      'Berlin has 02:30 twice on 2027-10-31: the earlier',
      'Europe/Berlin',
      '2027-10-31T02:30:00',
      '2027-10-31T00:30:00Z',
    ],
  ])('%s', (_, zone, local, instant) => {
    expect(new Date(toInstant(local, zone)).toISOString()).toBe(new Date(instant).toISOString());
  });

  test('today is the date on the zone’s own wall', () => {
    const instant = Date.parse('2027-03-01T17:30:00Z');
    expect(today(instant, 'Asia/Ho_Chi_Minh')).toBe('2027-03-02');
    expect(today(instant, 'America/New_York')).toBe('2027-03-01');
    expect(today(Date.parse('2026-12-31T10:00:00Z'), 'Pacific/Kiritimati')).toBe('2027-01-01');
  });

  test('fractions of a second are dropped, also before 1970', () => {
    expect(toLocal(1999, 'UTC')).toBe('1970-01-01T00:00:01');
    expect(toLocal(-1, 'UTC')).toBe('1969-12-31T23:59:59');
  });
});

const zone = fc.constantFrom(
  'Asia/Ho_Chi_Minh',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Asia/Tehran',
  'UTC',
);
const instant = fc.integer({ min: Date.UTC(1973, 0, 1), max: Date.UTC(2040, 0, 1) });

test('zones agree with Temporal at any instant', () => {
  fc.assert(
    fc.property(instant, zone, (at, name) => {
      const expected = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name).toPlainDateTime();
      expect(toLocal(at, name)).toBe(expected.toString({ smallestUnit: 'second', roundingMode: 'floor' }));
    }),
    { numRuns: 500 },
  );
});

test('the zone that needs no formatter is where Temporal has it, from its last change on', () => {
  const [from, to] = [Date.UTC(1974, 0), Date.UTC(2101, 0)];
  for (let at = from; at < to; at += 10 * 86_400_000) {
    const expected = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(defaultTimeZone);
    expect(toLocal(at, defaultTimeZone)).toBe(
      expected.toPlainDateTime().toString({ smallestUnit: 'second' }),
    );
  }
});

test('local datetimes agree with Temporal, gaps and overlaps included', () => {
  fc.assert(
    fc.property(instant, zone, (at, name) => {
      const local = new Date(at).toISOString().slice(0, 19);
      expect(toInstant(local, name)).toBe(
        Temporal.PlainDateTime.from(local).toZonedDateTime(name).epochMilliseconds,
      );
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['America/St_Johns', '2011-03-13T03:31:00Z'],
  ['Asia/Gaza', '2011-03-31T22:01:00Z'],
  ['Antarctica/Casey', '2022-10-01T16:01:00Z'],
])('%s, which changes at a minute past the quarter, agrees with Temporal', (name, change) => {
  for (const seconds of [-61, -60, -1, 0, 1, 59, 60]) {
    const at = Date.parse(change) + seconds * 1000;
    const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name).toPlainDateTime();
    expect(toLocal(at, name)).toBe(local.toString());
    expect(toInstant(local.toString(), name)).toBe(local.toZonedDateTime(name).epochMilliseconds);
  }
});

test('every quarter of an hour around each change of 2027 agrees with Temporal', () => {
  for (const name of [
    'America/New_York',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Asia/Ho_Chi_Minh',
  ])
    for (const date of ['2027-03-14', '2027-03-28', '2027-04-04', '2027-10-03', '2027-10-31', '2027-11-07'])
      for (let quarter = 0; quarter < 96; quarter++) {
        const local = addHours(`${date}T00:00:00`, quarter / 4);
        const expected = Temporal.PlainDateTime.from(local).toZonedDateTime(name).epochMilliseconds;
        expect(toInstant(local, name), `${local} ${name}`).toBe(expected);
      }
});

test('adding days and counting nights undo each other', () => {
  const days = fc.integer({ min: -100_000, max: 100_000 });
  fc.assert(
    fc.property(days, fc.integer({ min: -1000, max: 1000 }), (start, nights) => {
      const date = addDays('2027-01-01', start);
      expect(nightsBetween(date, addDays(date, nights))).toBe(nights);
      expect(weekday(addDays(date, 7))).toBe(weekday(date));
    }),
  );
});

test('texts are read as the platform reads them, malformed ones too', () => {
  const text = fc
    .date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString().slice(0, 19));
  const malformed = fc
    .tuple(
      text,
      fc.nat({ max: 19 }),
      fc.constantFrom('0', '1', '2', '3', '5', '6', '9', '-', ':', 'T', ' ', '+', 'Z', ''),
    )
    .map(([good, at, character]) => good.slice(0, at) + character + good.slice(at + 1));
  fc.assert(
    fc.property(fc.oneof(text, malformed), (local) => {
      const hours = Date.parse(`${local}Z`) / 3_600_000;
      expect(hoursBetween('1970-01-01T00:00:00', local)).toBe(hours);
      const date = local.slice(0, 10);
      expect(dayNumber(date)).toBe(Date.parse(`${date}T00:00:00Z`) / 86_400_000);
    }),
    { numRuns: 2000 },
  );
});

test('texts are written as the platform writes them, of more days than are kept in memory too', () => {
  const seconds = fc.integer({ min: Date.UTC(-100, 0) / 1000, max: Date.UTC(10_100, 0) / 1000 });
  fc.assert(
    fc.property(seconds, (second) => {
      const local = new Date(second * 1000).toISOString().slice(0, 19);
      expect(addSeconds('1970-01-01T00:00:00', second)).toBe(local);
    }),
    { numRuns: 5000 },
  );
  for (let day = 15_000; day < 30_000; day++)
    expect(dateOfDay(day)).toBe(new Date(day * 86_400_000).toISOString().slice(0, 10));
});
