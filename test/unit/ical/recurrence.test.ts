import { describe, expect, it } from 'vitest';
import { FeedProblem } from '../../../shared/domain/ical/reading/components.ts';
import { readFeed } from '../../../shared/domain/ical/reading/read-feed.ts';
import { calendarWith, event } from '../../support/calendars.ts';

const now = Date.parse('2027-01-15T03:00:00Z');
const hanoi = { timezone: 'Asia/Ho_Chi_Minh' };
const eventsIn = (text: string, listing = hanoi) => readFeed(text, listing, now).events;
const read = (...lines: string[]) => eventsIn(calendarWith(event('UID:x', ...lines)));
const dates = (...lines: string[]) =>
  read(...lines)
    .map(({ start_at }) => start_at.slice(0, 10))
    .sort();

describe('a recurrence', () => {
  it.each<[string, string, string, string[]]>([
    ['daily, counted', '20270201', 'FREQ=DAILY;COUNT=3', ['2027-02-01', '2027-02-02', '2027-02-03']],
    [
      'every other day until a date',
      '20270201',
      'FREQ=DAILY;INTERVAL=2;UNTIL=20270205',
      ['2027-02-01', '2027-02-03', '2027-02-05'],
    ],
    ['counted from long ago', '20270110', 'FREQ=DAILY;COUNT=7', ['2027-01-14', '2027-01-15', '2027-01-16']],
    [
      'weekly on two days',
      '20270201',
      'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4',
      ['2027-02-01', '2027-02-03', '2027-02-08', '2027-02-10'],
    ],
    [
      'every other week from Sunday',
      '20270202',
      'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,SU;COUNT=4',
      ['2027-02-02', '2027-02-14', '2027-02-16', '2027-02-28'],
    ],
    [
      'every other week from Monday',
      '20270202',
      'FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=TU,SU;COUNT=4',
      ['2027-02-02', '2027-02-07', '2027-02-16', '2027-02-21'],
    ],
    [
      'on the 31st where there is one',
      '20270131',
      'FREQ=MONTHLY;COUNT=3',
      ['2027-01-31', '2027-03-31', '2027-05-31'],
    ],
    [
      'on the last day',
      '20270131',
      'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3',
      ['2027-01-31', '2027-02-28', '2027-03-31'],
    ],
    [
      'on the second Tuesday',
      '20270209',
      'FREQ=MONTHLY;BYDAY=2TU;COUNT=3',
      ['2027-02-09', '2027-03-09', '2027-04-13'],
    ],
    ['on the last Friday', '20270226', 'FREQ=MONTHLY;BYDAY=-1FR;COUNT=2', ['2027-02-26', '2027-03-26']],
    [
      'on a Friday the 13th',
      '20270813',
      'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=2',
      ['2027-08-13', '2028-10-13'],
    ],
    [
      'on the last weekday',
      '20270129',
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2',
      ['2027-01-29', '2027-02-26'],
    ],
    ['yearly', '20260430', 'FREQ=YEARLY', ['2027-04-30', '2028-04-30', '2029-04-30']],
    ['on a leap day', '20240229', 'FREQ=YEARLY', ['2028-02-29']],
    ['on a date in 1604', '16040229', 'FREQ=YEARLY', ['2028-02-29']],
    [
      'yearly in two months',
      '20270301',
      'FREQ=YEARLY;BYMONTH=3,6;BYMONTHDAY=1,-1;COUNT=4',
      ['2027-03-01', '2027-03-31', '2027-06-01', '2027-06-30'],
    ],
    [
      'on the 20th Monday of the year',
      '20270517',
      'FREQ=YEARLY;BYDAY=20MO;COUNT=2',
      ['2027-05-17', '2028-05-15'],
    ],
    [
      'on the last day of the year',
      '20271231',
      'FREQ=YEARLY;BYYEARDAY=-1;COUNT=2',
      ['2027-12-31', '2028-12-31'],
    ],
    [
      'daily within a month',
      '20270225',
      'FREQ=DAILY;BYMONTH=2;COUNT=5',
      ['2027-02-25', '2027-02-26', '2027-02-27', '2027-02-28', '2028-02-01'],
    ],
    ['on a day that never comes', '20270228', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', ['2027-02-28']],
    ['daily on a day that never comes', '20270228', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', ['2027-02-28']],
    ['at an interval beyond all calendars', '20270228', 'FREQ=DAILY;INTERVAL=999999', ['2027-02-28']],
    ['until 9999', '20300112', 'FREQ=DAILY;UNTIL=99991231T235959Z', ['2030-01-12', '2030-01-13']],
  ])('%s', (_, start, rule, expected) => {
    expect(dates(`DTSTART;VALUE=DATE:${start}`, `RRULE:${rule}`)).toEqual(expected);
  });

  it('has no end and is cut at the booking horizon', () => {
    const mondays = dates('DTSTART:20150105', 'RRULE:FREQ=WEEKLY');
    expect([mondays[0], mondays.at(-1)]).toEqual(['2027-01-18', '2030-01-07']);
  });

  it('keeps its wall-clock time over daylight saving', () => {
    const found = eventsIn(
      calendarWith(
        event('DTSTART;TZID=America/New_York:20270313T150000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2'),
      ),
      { timezone: 'UTC' },
    );
    expect(found.map(({ start_at }) => start_at)).toEqual(['2027-03-13T20:00:00', '2027-03-14T19:00:00']);
  });

  it('ends with the instant of UNTIL, that one included', () => {
    const lines = ['DTSTART;TZID=Asia/Ho_Chi_Minh:20270201T090000', 'DURATION:PT1H'];
    expect(dates(...lines, 'RRULE:FREQ=DAILY;UNTIL=20270203T020000Z')).toHaveLength(3);
    expect(dates(...lines, 'RRULE:FREQ=DAILY;UNTIL=20270203T015959Z')).toHaveLength(2);
    expect(dates(...lines, 'RRULE:FREQ=DAILY;UNTIL=20270203T085959')).toHaveLength(2);
  });

  it('leaves out EXDATEs by date, instant and another zone, and counts them', () => {
    const lines = ['DTSTART;TZID=Asia/Ho_Chi_Minh:20270201T090000', 'RRULE:FREQ=DAILY;COUNT=5'];
    expect(
      dates(
        ...lines,
        'EXDATE:20270202T020000Z,20270301T000000Z',
        'EXDATE;VALUE=DATE:20270203',
        'EXDATE;TZID=Europe/Paris:20270204T030000',
      ),
    ).toEqual(['2027-02-01', '2027-02-05']);
  });

  it('is added to by RDATE', () => {
    expect(
      dates(
        'DTSTART:20270201',
        'RDATE;VALUE=DATE:20270210,20270201',
        'RDATE;VALUE=PERIOD:20270215T000000Z/P1D',
      ),
    ).toEqual(['2027-02-01', '2027-02-10', '2027-02-15']);
  });

  it('gives way to the events that replace one of its occurrences', () => {
    const series = event('UID:x', 'DTSTART:20270201T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=4');
    const moved = event('UID:x', 'RECURRENCE-ID:20270202T090000', 'DTSTART:20270220T090000', 'DURATION:PT1H');
    const gone = event(
      'UID:x',
      'RECURRENCE-ID:20270203T090000',
      'DTSTART:20270203T090000',
      'STATUS:CANCELLED',
    );
    const found = eventsIn(calendarWith(gone, moved, series));
    expect(found.map(({ start_at }) => start_at.slice(0, 10)).sort()).toEqual([
      '2027-02-01',
      '2027-02-04',
      '2027-02-20',
    ]);
    const before = eventsIn(calendarWith(series));
    const keyAt = (events: typeof found, date: string) =>
      events.find(({ start_at }) => start_at.startsWith(date))?.key;
    expect(keyAt(found, '2027-02-20')).toBe(keyAt(before, '2027-02-02'));
  });

  it('may be as long as it is: what is over is no reason to refuse it', () => {
    const start = 'DTSTART:20240102T080000';
    for (const rule of ['FREQ=DAILY', 'FREQ=DAILY;COUNT=5000', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'])
      for (const at of ['2027-01-01T00:00:00Z', '2026-11-27T00:00:00Z', '2027-01-02T00:00:00Z'])
        expect(
          readFeed(calendarWith(event(start, `RRULE:${rule}`)), hanoi, Date.parse(at)).events.length,
          `${rule} ${at}`,
        ).toBeGreaterThan(780);
  });

  it.each([
    ['FREQ=HOURLY', 'more than 5000 events to come'],
    ['FREQ=HOURLY;INTERVAL=6', 'more than 2000 separate stretches'],
  ])('%s is refused: %s', (rule, problem) => {
    expect(() => dates('DTSTART:20270201T000000', `RRULE:${rule}`)).toThrow(problem);
  });

  it.each([
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=SECONDLY;UNTIL=20260101T000000Z',
    'FREQ=MINUTELY',
    'FREQ=HOURLY;INTERVAL=100',
  ])('comes to an end: %s', (rule) => {
    try {
      dates('DTSTART:19700101T000000Z', `RRULE:${rule}`);
    } catch (error) {
      expect(error).toBeInstanceOf(FeedProblem);
    }
  });

  it('times ten thousand is refused', () => {
    const rules = [
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=YEARLY;BYDAY=53MO;COUNT=1000',
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=1000',
    ];
    for (const rule of rules) {
      const events = Array.from({ length: 10_000 }, (_, n) =>
        event(`UID:${n}`, 'DTSTART:16010101', `RRULE:${rule}`),
      );
      expect(() => readFeed(calendarWith(...events), { timezone: 'UTC' }, now), rule).toThrow(
        'takes too long to read',
      );
    }
  });

  it.each([
    'FREQ=NEVER',
    'COUNT=3',
    'FREQ=DAILY;COUNT=x',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;COUNT=-1',
    'FREQ=WEEKLY;BYMONTHDAY=3',
    'FREQ=DAILY;BYDAY=2MO',
    'FREQ=YEARLY;BYWEEKNO=20',
    'FREQ=DAILY;BYHOUR=9',
    'FREQ=DAILY;UNTIL=20270231',
    'FREQ=MONTHLY;BYDAY=XX',
    'FREQ=DAILY;X',
    '',
  ])('that cannot be read is refused: "%s"', (rule) => {
    expect(() => dates('DTSTART:20270201', `RRULE:${rule}`)).toThrow('cannot be read');
  });
});
