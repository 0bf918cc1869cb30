import { beforeEach, describe, expect, it } from 'vitest';
import { readFeed } from '../../../shared/domain/ical/reading/read-feed.ts';
import { calendarWith, event } from '../../support/calendars.ts';

/** A Monday; `{n}` in a text is the day so many days after it. */
const anchor = Date.parse('2027-02-01T00:00:00Z');
const now = Date.parse('2027-01-08T03:00:00Z');
const listing = { timezone: 'Asia/Ho_Chi_Minh' };

const day = (number: number) => new Date(anchor + number * 86_400_000).toISOString().slice(0, 10);
const filled = (text: string) =>
  text.replaceAll(/\{(\d+)\}/g, (_, number: string) => day(Number(number)).replaceAll('-', ''));
const reading = (...events: string[][]) => readFeed(filled(calendarWith(...events)), listing, now);
/** Times as `day hour–day hour`. */
const taken = (...events: string[][]) =>
  reading(...events)
    .events.map(({ start_at, end_at }) => {
      const place = (local: string) =>
        `${(Date.parse(local.slice(0, 10)) - anchor) / 86_400_000}T${local.slice(11, 13)}`;
      return `${place(start_at)} ${place(end_at)}`;
    })
    .sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
/** The nights from check-in to check-out. */
const night = (from: number, until = from + 1) => `${from}T14 ${until}T12`;

describe.each(['UTC', 'Asia/Ho_Chi_Minh', 'America/New_York'])('a machine in %s reads', (zone) => {
  beforeEach(() => {
    process.env['TZ'] = zone;
    return () => Reflect.deleteProperty(process.env, 'TZ');
  });

  it.each<[string, string[], string[]]>([
    [
      'the name that Windows has for a zone',
      ['DTSTART;TZID=W. Europe Standard Time:{5}T080000', 'DTEND;TZID=W. Europe Standard Time:{5}T110000'],
      ['5T14 5T17'],
    ],
    ['an offset', ['DTSTART;TZID=GMT+0900:{5}T080000', 'DURATION:PT1H'], ['5T06 5T07']],
    ['an offset with a colon', ['DTSTART;TZID="UTC-03:30":{5}T080000', 'DURATION:PT1H'], ['5T18 5T20']],
    ['an offset of hours', ['DTSTART;TZID=UTC+7:{5}T080000', 'DURATION:PT1H'], ['5T08 5T09']],
    [
      'dates that end with an instant in a local midnight',
      ['DTSTART;VALUE=DATE:{1}', 'RRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL={9}T170000Z'],
      [night(1), night(3), night(8), night(10)],
    ],
    ['nights as instants', ['DTSTART:{2}T170000Z', 'DTEND:{5}T170000Z'], [night(3, 6)]],
    ['nights to the last minute', ['DTSTART:{2}T000000', 'DTEND:{4}T235900'], [night(2, 5)]],
    ['a night to the last second', ['DTSTART:{2}T000000', 'DTEND:{2}T235959'], [night(2)]],
    ['half an hour before check-in', ['DTSTART:{3}T063000Z', 'DTEND:{3}T070000Z'], ['3T13 3T14']],
    ['what ends as it begins', ['DTSTART:{3}T080000', 'DTEND:{3}T080000'], ['3T08 3T09']],
    [
      'periods of RDATE with their own lengths',
      ['DTSTART:{2}T080000', 'DURATION:PT1H', 'RDATE;VALUE=PERIOD:{3}T010000Z/PT3H,{4}T010000Z/{4}T050000Z'],
      ['2T08 2T09', '3T08 3T11', '4T08 4T12'],
    ],
    [
      'two rules of one event',
      ['DTSTART;VALUE=DATE:{1}', 'RRULE:FREQ=WEEKLY;COUNT=2', 'RRULE:FREQ=DAILY;COUNT=2'],
      [night(1), night(2), night(8)],
    ],
    [
      'exceptions of a series of dates that are times',
      [
        'DTSTART;VALUE=DATE:{1}',
        'RRULE:FREQ=DAILY;COUNT=4',
        'EXDATE;TZID=Asia/Bangkok:{2}T000000',
        'EXDATE:{2}T170000Z',
      ],
      [night(1), night(4)],
    ],
  ])('%s', (_, lines, expected) => {
    expect(taken(event('UID:x', ...lines))).toEqual(expected);
  });
});

const weekly = ['UID:x', 'DTSTART;VALUE=DATE:{1}', 'RRULE:FREQ=WEEKLY;COUNT=4'];

describe('a change of a series', () => {
  it.each<[string, string[], string[]]>([
    ['moves all that follow', ['DTSTART;VALUE=DATE:{9}'], [night(1), night(9), night(16), night(23)]],
    [
      'lengthens all that follow',
      ['DTSTART;VALUE=DATE:{8}', 'DTEND;VALUE=DATE:{10}'],
      [night(1), night(8, 10), night(15, 17), night(22, 24)],
    ],
    ['cancels all that follow', ['DTSTART;VALUE=DATE:{8}', 'STATUS:CANCELLED'], [night(1)]],
    ['frees all that follow', ['DTSTART;VALUE=DATE:{8}', 'TRANSP:TRANSPARENT'], [night(1)]],
    ['makes hours of dates', ['DTSTART:{8}T080000'], [night(1), '8T08 8T09', '15T08 15T09', '22T08 22T09']],
  ])('%s', (_, lines, expected) => {
    const change = event('UID:x', 'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:{8}', ...lines);
    expect(taken(event(...weekly), change)).toEqual(expected);
    expect(taken(change, event(...weekly))).toEqual(expected);
  });

  it('counts for what follows it until the next one, and not for what is changed by itself', () => {
    const range = (from: number, to: number) =>
      event('UID:x', `RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:{${from}}`, `DTSTART;VALUE=DATE:{${to}}`);
    const one = event('UID:x', 'RECURRENCE-ID;VALUE=DATE:{22}', 'DTSTART;VALUE=DATE:{27}');
    expect(taken(event(...weekly), range(15, 18), range(8, 9), one)).toEqual([
      night(1),
      night(9),
      night(18),
      night(27),
    ]);
  });

  it.each([
    ['far ahead', 'FREQ=DAILY', '20261203', '20270211', '2027-02-12', '2027-03-12'],
    [
      'and lengthens one that has ended',
      'FREQ=WEEKLY;UNTIL=20261231',
      '20261203',
      '20261203',
      '2027-01-20',
      '2027-01-20',
    ],
  ])('moves past occurrences %s', (_, rule, from, to, first, last) => {
    const series = event('UID:x', `DTSTART;VALUE=DATE:${from}`, `RRULE:${rule}`);
    const change = event(
      'UID:x',
      `RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:${from}`,
      `DTSTART;VALUE=DATE:${to}`,
      ...(from === to ? ['DURATION:P30D'] : []),
    );
    const { events } = readFeed(calendarWith(series, change), listing, now);
    for (const date of [first, last])
      expect(
        events.some(({ start_at, end_at }) => start_at <= `${date}T14:00:00` && end_at > `${date}T14:00:00`),
        date,
      ).toBe(true);
  });

  it('takes the time of a series that was free', () => {
    const free = event(...weekly, 'TRANSP:TRANSPARENT');
    const change = event(
      'UID:x',
      'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:{8}',
      'DTSTART;VALUE=DATE:{8}',
    );
    expect(taken(free, change)).toEqual([night(8), night(15), night(22)]);
  });

  it('moves times on the clock of the series, over a change of the clocks', () => {
    const series = event('UID:x', 'DTSTART;TZID=Europe/Berlin:20270301T080000', 'RRULE:FREQ=WEEKLY;COUNT=5');
    const change = event(
      'UID:x',
      'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270315T080000',
      'DTSTART:20270315T083000Z',
      'DURATION:PT30M',
    );
    const hours = reading(series, change).events.map(({ start_at }) => start_at.slice(5, 13));
    expect(hours.sort()).toEqual(['03-01T14', '03-08T14', '03-15T15', '03-22T15', '03-29T14']);
  });

  it.each([
    ['RECURRENCE-ID;TZID=Asia/Bangkok:{8}T000000'],
    ['RECURRENCE-ID:{7}T170000Z'],
    ['RECURRENCE-ID;VALUE=DATE:{8}'],
  ])('finds a date that is written as %s', (id) => {
    const change = event('UID:x', id, 'DTSTART;VALUE=DATE:{11}');
    expect(taken(event(...weekly), change)).toEqual([night(1), night(11), night(15), night(22)]);
  });

  it('leaves a period of RDATE its length', () => {
    const series = event(
      'UID:x',
      'DTSTART:{1}T080000',
      'DURATION:PT1H',
      'RRULE:FREQ=WEEKLY;COUNT=2',
      'RDATE;VALUE=PERIOD:{10}T080000/PT5H',
    );
    const change = event('UID:x', 'RECURRENCE-ID;RANGE=THISANDFUTURE:{8}T080000', 'DTSTART:{8}T090000');
    expect(taken(series, change)).toEqual(['1T08 1T09', '8T09 8T10', '10T09 10T14']);
  });

  it('takes the time of a series that was cancelled', () => {
    const change = event(
      'UID:x',
      'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:{8}',
      'DTSTART;VALUE=DATE:{8}',
    );
    const { read } = reading(event(...weekly, 'STATUS:CANCELLED'), change);
    expect(taken(event(...weekly, 'STATUS:CANCELLED'), change)).toEqual([night(8), night(15), night(22)]);
    expect(read).toMatchObject({ taken: 1, cancelled: 1 });
  });

  it('may have a rule of its own, and is named among the problems', () => {
    const change = event(
      'UID:x',
      'RECURRENCE-ID;VALUE=DATE:{8}',
      'DTSTART;VALUE=DATE:{9}',
      'RRULE:FREQ=DAILY;COUNT=3',
    );
    expect(taken(event(...weekly), change)).toEqual([1, 9, 10, 11, 15, 22].map((at) => night(at)));
    expect(reading(event(...weekly), change).problems).toEqual([
      '1 event: a change of one occurrence recurs itself: all its dates are taken.',
    ]);
  });

  it('counts in its latest version', () => {
    const version = (sequence: number, at: number) =>
      event('UID:x', `SEQUENCE:${sequence}`, `DTSTART;VALUE=DATE:{${at}}`);
    expect(taken(version(2, 3), version(0, 8))).toEqual([night(3)]);
    expect(taken(version(0, 8), version(2, 3))).toEqual([night(3)]);
    expect(taken(version(1, 8), version(1, 3))).toEqual([night(3), night(8)]);
  });
});

describe('free and busy times', () => {
  const freeBusy = (...lines: string[]) => ['BEGIN:VFREEBUSY', 'UID:f', ...lines, 'END:VFREEBUSY'];

  it('are taken as they are', () => {
    expect(
      taken(
        freeBusy(
          'FREEBUSY;FBTYPE=BUSY:{3}T070000Z/{5}T050000Z,{8}T010000Z/PT2H',
          'FREEBUSY;FBTYPE=FREE:{10}T010000Z/PT2H',
          'FREEBUSY:{12}T170000Z/P1D',
          'FREEBUSY;FBTYPE=BUSY-TENTATIVE:{15}T010000Z/PT2H',
        ),
      ),
    ).toEqual(['3T14 5T12', '8T08 8T10', night(13), '15T08 15T10']);
  });

  it('are counted', () => {
    const { read } = reading(
      freeBusy('FREEBUSY:{3}T070000Z/PT1H,20260101T070000Z/PT1H', 'FREEBUSY;FBTYPE=FREE:{10}T010000Z/PT2H'),
    );
    expect(read).toEqual({ events: 3, taken: 1, free: 1, cancelled: 0, past: 1, not_understood: 0 });
  });
});

describe('X-WR-TIMEZONE', () => {
  const within = (zone: string, ...lines: string[]) =>
    taken([`X-WR-TIMEZONE:${zone}`], event('UID:x', ...lines));

  it('is the zone of times without one', () => {
    expect(within('Europe/Berlin', 'DTSTART:{5}T080000', 'DURATION:PT1H')).toEqual(['5T14 5T15']);
    expect(within('Europe/Berlin', 'DTSTART:{5}T080000Z', 'DURATION:PT1H')).toEqual(['5T15 5T16']);
    expect(within('Nowhere', 'DTSTART:{5}T080000', 'DURATION:PT1H')).toEqual(['5T08 5T09']);
    expect(within('Europe/Berlin', 'DTSTART;VALUE=DATE:{5}')).toEqual([night(5)]);
  });
});

describe('nothing is left out in silence', () => {
  it('each event is in one count', () => {
    const { read, problems } = reading(
      event('UID:a', 'DTSTART;VALUE=DATE:{3}', 'RRULE:FREQ=DAILY;COUNT=3'),
      event('UID:b', 'DTSTART;VALUE=DATE:{3}', 'TRANSP:TRANSPARENT'),
      event('UID:c', 'DTSTART;VALUE=DATE:{4}', 'TRANSP:TRANSPARENT'),
      event('UID:d', 'DTSTART;VALUE=DATE:{4}', 'STATUS:CANCELLED'),
      event('UID:e', 'DTSTART;VALUE=DATE:20260101'),
      event('UID:f', 'DTSTART;VALUE=DATE:20260101', 'TRANSP:TRANSPARENT'),
      event('UID:g', 'DTSTART;TZID=Customized Time Zone:{8}T080000'),
      event('UID:h', 'DTSTART:{9}T080000', 'DTEND:{9}T070000'),
    );
    expect(read).toEqual({ events: 8, taken: 1, free: 2, cancelled: 1, past: 2, not_understood: 2 });
    expect(problems).toEqual([
      '2 events marked as free: no time is taken.',
      '1 event: the time zone "Customized Time Zone" is not known: all hours that it may mean are taken.',
      '1 event: the end is before the beginning: the time between both is taken.',
    ]);
  });

  it('what is understood in part takes the longer of the possible times', () => {
    expect(taken(event('DTSTART;TZID=Nowhere:{8}T080000', 'DURATION:PT1H'))).toEqual(['8T01 9T04']);
    expect(taken(event('DTSTART;TZID=Nowhere:{8}T000000', 'DURATION:P1D'))).toEqual([night(8)]);
    const ruled = reading(event(...weekly, 'EXRULE:FREQ=WEEKLY;COUNT=2'));
    expect(ruled.events).toHaveLength(4);
    expect(ruled.problems).toEqual(['1 event: an EXRULE is not read: its dates are taken too.']);
  });

  it('an end before the beginning takes the time between both', () => {
    expect(taken(event('DTSTART;VALUE=DATE:{10}', 'DTEND;VALUE=DATE:{5}'))).toEqual([night(5, 10)]);
    expect(taken(event('DTSTART:{9}T080000', 'DTEND:{9}T050000'))).toEqual(['9T05 9T08']);
  });

  it('a DTSTART that its rule does not select is not counted', () => {
    // A Tuesday.
    const series = (day: string) =>
      taken(event('DTSTART;VALUE=DATE:{1}', `RRULE:FREQ=WEEKLY;BYDAY=${day};COUNT=2`));
    expect(series('TU')).toEqual([night(1), night(8)]);
    expect(series('WE')).toEqual([night(1), night(2), night(9)]);
  });

  it('an hour that occurs twice is as long as any other', () => {
    const { events } = reading(event('DTSTART;TZID=America/New_York:20271107T013000', 'DURATION:PT1H'));
    expect(events).toMatchObject([{ start_at: '2027-11-07T12:00:00', end_at: '2027-11-07T14:00:00' }]);
  });

  it('an hour that is skipped is as long as any other, and the same for what follows it', () => {
    const series = event(
      'UID:x',
      'DTSTART;TZID=America/New_York:20270313T023000',
      'DTEND;TZID=America/New_York:20270313T033000',
      'RRULE:FREQ=DAILY;COUNT=3',
    );
    const change = event(
      'UID:x',
      'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=America/New_York:20270314T023000',
      'DTSTART;TZID=America/New_York:20270314T043000',
    );
    const hours = (...events: string[][]) =>
      reading(...events).events.map(
        ({ start_at, end_at }) => `${start_at.slice(8, 13)} ${end_at.slice(8, 13)}`,
      );
    expect(hours(series)).toEqual(['13T14 13T16', '14T14 14T16', '15T13 15T15']);
    expect(hours(series, change)).toEqual(['13T14 13T16', '15T15 15T17', '14T15 14T17']);
  });

  it('lines of a text that a platform has broken are no properties', () => {
    expect(
      taken(
        event('UID:x', 'DESCRIPTION:Guest arrives late', 'END of the stay: noon', 'DTSTART;VALUE=DATE:{3}'),
      ),
    ).toEqual([night(3)]);
  });
});
