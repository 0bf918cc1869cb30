import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { calendarText, escapeText, foldLine } from '../../../shared/domain/ical/calendar-text.ts';
import { concerns, eventTime } from '../../../shared/domain/ical/feed-events.ts';

const unfold = (text: string): string => text.replaceAll('\r\n ', '');

describe('calendar text', () => {
  it('ends every line by CRLF', () => {
    expect(
      calendarText([
        ['BEGIN', 'VEVENT'],
        ['END', 'VEVENT'],
      ]),
    ).toBe('BEGIN:VEVENT\r\nEND:VEVENT\r\n');
  });

  it('folds at 75 octets, never within a character, and loses nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const line = `SUMMARY:${escapeText(text)}`;
        const folded = foldLine(line);
        expect(unfold(folded)).toBe(line);
        for (const part of folded.split('\r\n')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75);
      }),
    );
  });

  it('escapes what has a meaning, and line breaks', () => {
    expect(escapeText('a\\b;c,d\r\ne\nf\u0007')).toBe('a\\\\b\\;c\\,d\\ne\\nf');
  });
});

describe('the time of an event', () => {
  const zone = 'Asia/Ho_Chi_Minh';
  it.each([
    ['an overnight stay', '2027-02-04T14:00:00', '2027-02-07T12:00:00', '2027-02-04', '2027-02-07'],
    ['one night over a month', '2027-01-31T14:00:00', '2027-02-01T12:00:00', '2027-01-31', '2027-02-01'],
    ['one night over a year', '2027-12-31T22:00:00', '2028-01-01T11:00:00', '2027-12-31', '2028-01-01'],
    ['29 February', '2028-02-28T14:00:00', '2028-03-01T12:00:00', '2028-02-28', '2028-03-01'],
    ['a check-out at 23:30', '2027-02-04T14:00:00', '2027-02-06T00:00:00', '2027-02-04', '2027-02-05'],
    ['a check-in after midnight', '2027-02-04T00:00:00', '2027-02-05T12:00:00', '2027-02-04', '2027-02-05'],
    ['a block of one day', '2027-02-04T00:00:00', '2027-02-05T00:00:00', '2027-02-04', '2027-02-05'],
    ['a block of three days', '2027-02-04T00:00:00', '2027-02-07T00:00:00', '2027-02-04', '2027-02-07'],
  ])('%s is its nights', (_, start_at, end_at, from, to) => {
    expect(eventTime({ start_at, end_at }, zone)).toEqual({ kind: 'nights', from, to });
  });

  it.each([
    ['day use', '2027-02-04T09:00:00', '2027-02-04T18:00:00', '2027-02-04T02:00Z', '2027-02-04T11:00Z'],
    ['an evening', '2027-02-04T20:00:00', '2027-02-05T00:00:00', '2027-02-04T13:00Z', '2027-02-04T17:00Z'],
    [
      'the first hour',
      '2027-02-04T00:00:00',
      '2027-02-04T01:00:00',
      '2027-02-03T17:00Z',
      '2027-02-03T18:00Z',
    ],
  ])('%s is its hours', (_, start_at, end_at, from, to) => {
    expect(eventTime({ start_at, end_at }, zone)).toEqual({
      kind: 'hours',
      from: Date.parse(from),
      to: Date.parse(to),
    });
  });

  it('never ends before it begins, also in an hour that daylight saving skips', () => {
    const skipped = { start_at: '2027-03-14T02:00:00', end_at: '2027-03-14T03:00:00' };
    const time = eventTime(skipped, 'America/New_York');
    expect(time.kind === 'hours' && time.to > time.from).toBe(true);
  });
});

describe('whose hours are whose', () => {
  const family = (listing_id: number) => ({ listing_id, calendar_id: 1 });
  it.each([
    ['its own', 1, 1, true],
    ["a parent takes its child's", 2, 1, true],
    ["a child takes its parent's", 1, 2, true],
    ['siblings stay apart', 2, 3, false],
  ])('%s', (_, of, listing, taken) => {
    expect(concerns(family(of), listing)).toBe(taken);
  });
});
