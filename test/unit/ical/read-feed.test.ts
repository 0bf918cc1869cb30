import { beforeEach, describe, expect, it } from 'vitest';
import { FeedProblem } from '../../../shared/domain/ical/reading/components.ts';
import { readFeed } from '../../../shared/domain/ical/reading/read-feed.ts';
import type { FeedListing } from '../../../shared/domain/ical/reading/taken-time.ts';
import { calendarWith, event, feedOf, nights } from '../../support/calendars.ts';

const now = Date.parse('2027-01-15T03:00:00Z');
const hanoi = { timezone: 'Asia/Ho_Chi_Minh' };
const newYork = { timezone: 'America/New_York' };
const read = (text: string, listing: FeedListing = hanoi) => readFeed(text, listing, now).events;
const times = (text: string, listing: FeedListing = hanoi) =>
  read(text, listing)
    .map(({ start_at, end_at }) => `${start_at.slice(0, 13)} ${end_at.slice(0, 13)}`)
    .sort();
const timesOf = (lines: string[], listing?: FeedListing) => times(calendarWith(event(...lines)), listing);

describe.each(['UTC', 'Asia/Ho_Chi_Minh', 'America/New_York'])('a feed, machine in %s', (zone) => {
  beforeEach(() => {
    process.env['TZ'] = zone;
    expect(new Date(0).getHours()).toBe({ UTC: 0, 'Asia/Ho_Chi_Minh': 8, 'America/New_York': 19 }[zone]);
    return () => Reflect.deleteProperty(process.env, 'TZ');
  });

  it.each([
    ['airbnb', ['2027-02-04T14 2027-02-07T12', '2027-02-07T14 2027-02-09T12', '2028-01-15T14 2028-01-16T12']],
    ['booking-com', ['2027-02-20T14 2027-02-23T12', '2027-03-01T14 2027-03-02T12']],
    ['vrbo', ['2027-03-10T14 2027-03-14T12', '2027-04-01T14 2027-04-05T12']],
    [
      'google',
      [
        '2027-02-02T09 2027-02-02T12',
        '2027-02-17T14 2027-02-17T16',
        '2027-02-23T09 2027-02-23T12',
        '2027-03-05T14 2027-03-07T12',
      ],
    ],
    [
      'expedia',
      ['2027-05-01T14 2027-05-03T12', '2027-05-10T14 2027-05-12T12', '2027-05-20T14 2027-05-21T12'],
    ],
  ])('of %s is read hour by hour', (platform, expected) => {
    expect(times(feedOf(platform))).toEqual(expected);
  });

  it('shows nothing of a guest but its text', () => {
    for (const platform of ['airbnb', 'vrbo', 'google'])
      expect(JSON.stringify(read(feedOf(platform)).map(({ summary: _, ...event }) => event))).not.toMatch(
        /Maria|4567|HMABC|Cleaning|airbnb/i,
      );
    expect(read(feedOf('vrbo'))[0]).toMatchObject({ summary: 'Reserved - Maria' });
  });

  it.each<[string, string[], FeedListing, string]>([
    [
      'a date',
      ['DTSTART;VALUE=DATE:20270204', 'DTEND;VALUE=DATE:20270205'],
      hanoi,
      '2027-02-04T14 2027-02-05T12',
    ],
    [
      "a date at the listing's own hours",
      ['DTSTART;VALUE=DATE:20270204', 'DTEND;VALUE=DATE:20270205'],
      { ...hanoi, standard_check_in_time: '15:30:00', standard_check_out_time: '10:30:00' },
      '2027-02-04T15 2027-02-05T11',
    ],
    ['a date without VALUE', ['DTSTART:20270204', 'DTEND:20270206'], hanoi, '2027-02-04T14 2027-02-06T12'],
    ['a date without an end', ['DTSTART;VALUE=DATE:20270204'], hanoi, '2027-02-04T14 2027-02-05T12'],
    [
      'a date that ends as it begins',
      ['DTSTART:20270204', 'DTEND:20270204'],
      hanoi,
      '2027-02-04T14 2027-02-05T12',
    ],
    ['a date with a duration', ['DTSTART:20270204', 'DURATION:P1W'], hanoi, '2027-02-04T14 2027-02-11T12'],
    [
      'nights from midnight to midnight',
      ['DTSTART:20270204T000000', 'DTEND:20270206T000000'],
      hanoi,
      '2027-02-04T14 2027-02-06T12',
    ],
    [
      'nights from midnight to midnight of UTC',
      ['DTSTART:20270204T000000Z', 'DTEND:20270206T000000Z'],
      newYork,
      '2027-02-04T14 2027-02-06T12',
    ],
    [
      'hours from a midnight',
      ['DTSTART:20270204T000000', 'DTEND:20270204T060000'],
      hanoi,
      '2027-02-04T00 2027-02-04T06',
    ],
    ['UTC', ['DTSTART:20270204T070000Z', 'DTEND:20270204T090000Z'], hanoi, '2027-02-04T14 2027-02-04T16'],
    [
      'UTC elsewhere',
      ['DTSTART:20270204T030000Z', 'DTEND:20270204T050000Z'],
      newYork,
      '2027-02-03T22 2027-02-04T00',
    ],
    [
      'a floating time',
      ['DTSTART:20270204T140000', 'DTEND:20270205T120000'],
      newYork,
      '2027-02-04T14 2027-02-05T12',
    ],
    [
      'a zone that is not described',
      ['DTSTART;TZID=Europe/Paris:20270204T140000', 'DTEND;TZID="Europe/Paris":20270204T150000'],
      hanoi,
      '2027-02-04T20 2027-02-04T21',
    ],
    [
      'a zone with a prefix',
      ['DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Paris:20270204T140000', 'DURATION:PT90M'],
      hanoi,
      '2027-02-04T20 2027-02-04T22',
    ],
    [
      'an unknown zone',
      ['DTSTART;TZID=Nowhere/Else:20270204T140000', 'DURATION:PT1H'],
      hanoi,
      '2027-02-04T07 2027-02-05T10',
    ],
    ['a time without an end', ['DTSTART:20270204T140000'], hanoi, '2027-02-04T14 2027-02-04T15'],
    [
      'a time that ends before it begins',
      ['DTSTART:20270204T140000', 'DTEND:20270203T120000'],
      hanoi,
      '2027-02-03T12 2027-02-04T14',
    ],
    ['minutes', ['DTSTART:20270204T143000', 'DTEND:20270205T111500'], hanoi, '2027-02-04T14 2027-02-05T12'],
    [
      'an hour that daylight saving skips',
      ['DTSTART:20270314T023000', 'DURATION:PT1H'],
      newYork,
      '2027-03-14T03 2027-03-14T05',
    ],
    [
      'an hour that happens twice',
      ['DTSTART:20271107T053000Z', 'DURATION:PT1H'],
      newYork,
      '2027-11-07T01 2027-11-07T02',
    ],
    ['a current stay', ['DTSTART:20270114', 'DTEND:20270116'], hanoi, '2027-01-14T14 2027-01-16T12'],
    ['no end of time', ['DTSTART:20270204', 'DTEND:99991231'], hanoi, '2027-02-04T14 2031-01-01T00'],
    ['what began long ago', ['DTSTART:20100101', 'DTEND:20270120'], hanoi, '2026-01-01T00 2027-01-20T12'],
  ])('reads %s', (_, lines, listing, expected) => {
    expect(timesOf(lines, listing)).toEqual([expected]);
  });

  it.each<[string, string[]]>([
    ['is over', ['DTSTART:20270101', 'DTEND:20270114']],
    ['was over an hour ago', ['DTSTART:20270115T010000Z', 'DTEND:20270115T020000Z']],
    ['is too far ahead to be booked', ['DTSTART:20310101', 'DTEND:20310105']],
    ['is cancelled', ['DTSTART:20270204', 'STATUS:CANCELLED']],
    ['takes no time', ['DTSTART:20270204', 'transp:transparent']],
  ])('leaves out what %s', (_, lines) => {
    expect(timesOf(lines)).toEqual([]);
  });

  it('counts days on the wall clock and hours by the clock of the world', () => {
    const start = 'DTSTART;TZID=America/New_York:20270313T120000';
    expect(timesOf([start, 'DURATION:P1D'], newYork)).toEqual(['2027-03-13T12 2027-03-14T12']);
    expect(timesOf([start, 'DURATION:PT24H'], newYork)).toEqual(['2027-03-13T12 2027-03-14T13']);
  });

  it('trusts a VTIMEZONE whose name is no zone', () => {
    const outlook = [
      'BEGIN:VTIMEZONE',
      'TZID:Romance Standard Time',
      ...['BEGIN:STANDARD', 'DTSTART:16010101T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100'],
      ...['RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10', 'END:STANDARD'],
      ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200'],
      ...['RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE'],
    ];
    const at = (date: string) => event(`DTSTART;TZID=Romance Standard Time:${date}T140000`, 'DURATION:PT1H');
    expect(
      times(calendarWith(outlook, at('20270204'), at('20270704'), at('20270328'), at('20271031'))),
    ).toEqual([
      '2027-02-04T20 2027-02-04T21',
      '2027-03-28T19 2027-03-28T20',
      '2027-07-04T19 2027-07-04T20',
      '2027-10-31T20 2027-10-31T21',
    ]);
  });
});

describe('a feed', () => {
  it('is unfolded, whatever its line ends, blanks, capitals and byte order mark', () => {
    const text =
      'begin:vcalendar\nBEGIN:VEVENT\nDESCRIPTION:a\n b\n\n  :END:VEVENT\nDTSTART;VALUE=\n\tDATE:2027\n 0204\nEND:vevent\nEND:VCALENDAR';
    const expected = ['2027-02-04T14 2027-02-05T12'];
    for (const variant of [text, `\uFEFF${text}`, text.replaceAll('\n', '\r\n'), `\r\n\r\n${text}\n\n`])
      expect(times(variant)).toEqual(expected);
  });

  it('keeps two events with one UID apart, and the same event twice as one', () => {
    const twice = calendarWith(
      nights('x', '2027-02-04', '2027-02-05'),
      nights('x', '2027-02-06', '2027-02-07'),
    );
    expect(new Set(read(twice).map(({ key }) => key)).size).toBe(2);
    const same = calendarWith(
      nights('x', '2027-02-04', '2027-02-05'),
      nights('x', '2027-02-04', '2027-02-05'),
    );
    expect(read(same)).toHaveLength(1);
  });

  it('knows an event again that has moved', () => {
    const [before] = read(calendarWith(nights('x', '2027-02-04', '2027-02-05')));
    const [after] = read(
      calendarWith(nights('x', '2027-03-04', '2027-03-05'), nights('y', '2027-04-01', '2027-04-02')),
    );
    expect(after?.key).toBe(before?.key);
  });

  it('passes over lines that a platform has broken', () => {
    const text = calendarWith(
      event('DTSTART:20270204', 'DESCRIPTION:Phone', '+84 90 123', 'no colon here', ';:'),
    );
    expect(times(text)).toEqual(['2027-02-04T14 2027-02-05T12']);
  });

  it('may hold several calendars, and none of an event', () => {
    expect(times(calendarWith() + calendarWith(nights('x', '2027-02-04', '2027-02-05')))).toHaveLength(1);
    expect(times(calendarWith())).toEqual([]);
  });

  it.each([
    ['is a page', '<!doctype html><html><body>Log in</body></html>', 'not an iCalendar'],
    ['is empty', '', 'not an iCalendar'],
    ['begins with something else', 'BEGIN:VCARD\r\nEND:VCARD\r\n', 'not an iCalendar'],
    ['ends in the middle', feedOf('airbnb').slice(0, 400), 'ends in the middle'],
    ['ends too often', `${calendarWith()}END:VCALENDAR\r\n`, 'too many'],
    ['is nested without end', 'BEGIN:VCALENDAR\r\n'.repeat(200_000), 'too deeply'],
    ['has an event without a beginning', calendarWith(event('UID:x')), 'without DTSTART: x'],
    ['has a 13th month', calendarWith(event('DTSTART:20271304')), 'no date'],
    ['has a 30th of February', calendarWith(event('DTSTART:20270230T100000')), 'no date'],
    ['has an end that is none', calendarWith(event('DTSTART:20270204', 'DTEND:soon')), 'DTEND'],
    ['has a duration that is none', calendarWith(event('DTSTART:20270204', 'DURATION:P1Y')), 'DURATION'],
    ['has a line without end', calendarWith(event(`DTSTART:2027${'0'.repeat(100_000)}`)), 'too long'],
    ['has a folded line without end', calendarWith(event(`UID:x${'\r\n x'.repeat(100_000)}`)), 'too long'],
    [
      'has too much to come',
      calendarWith(...Array.from({ length: 5001 }, (_, n) => nights(String(n), '2027-02-04', '2027-02-05'))),
      'more than 5000 events',
    ],
  ])('is refused when it %s', (_, text, message) => {
    expect(() => read(text)).toThrow(FeedProblem);
    expect(() => read(text)).toThrow(message);
  });

  it.each([
    [
      '20,000 events of the past',
      calendarWith(
        ...Array.from({ length: 20_000 }, (_, n) => nights(String(n), '2020-02-04', '2020-02-05')),
      ),
    ],
    ['a line of parameters', calendarWith(event('DTSTART:20270204', `X-A${';B=c'.repeat(1_000_000)}:x`))],
    ['a start of parameters', calendarWith(event(`UID${';B=c'.repeat(15_000)}:x`, 'DTSTART:20270204'))],
    [
      'a quoted parameter without end',
      calendarWith(event(`UID;A="${'x'.repeat(60_000)}`, 'DTSTART:20270204')),
    ],
    [
      'a description of 4 MiB',
      calendarWith(event('DTSTART:20270204', `DESCRIPTION:${'x'.repeat(4_000_000)}`)),
    ],
    [
      'a million folds',
      calendarWith(event('DTSTART:20270204', `DESCRIPTION:x${'\r\n x'.repeat(1_000_000)}`)),
    ],
    ['a million short lines', calendarWith(event('DTSTART:20270204', 'A\r\n'.repeat(1_000_000)))],
  ])('with %s is read to its end', (_, text) => {
    expect(read(text).length).toBeLessThan(2);
  });
});
