import { describe, expect, it } from 'vitest';
import { ReadingBudget } from '../../../shared/domain/ical/reading/reading-budget.ts';
import { readFeed } from '../../../shared/domain/ical/reading/read-feed.ts';
import { calendarWith, event } from '../../support/calendars.ts';

const now = Date.parse('2027-01-15T03:00:00Z');
const listing = { timezone: 'Asia/Ho_Chi_Minh' };

/** A clock of the CPU that gains so much at each look. */
const clockOf = (stepMs: number) => {
  let at = 0;
  return () => (at += stepMs);
};
const day = (offset: number): string =>
  new Date(now + offset * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');

describe('the budget of a reading', () => {
  it('ends with its steps', () => {
    const budget = new ReadingBudget(() => 0);
    budget.spend(400_000);
    expect(() => budget.spend(1)).toThrow('takes too long to read');
  });

  it('ends after five seconds of CPU, however few the steps', () => {
    const looks = (stepMs: number) => {
      const budget = new ReadingBudget(clockOf(stepMs));
      for (let calls = 0; calls < 256 * 6; calls++) budget.spend(0);
    };
    expect(() => looks(833)).not.toThrow();
    expect(() => looks(1000)).toThrow('takes too long to read');
  });

  it('is spent by exceptions, further dates and occurrences', () => {
    const many = (name: string) =>
      `${name}:${Array.from({ length: 3000 }, (_, n) => day(-30 - (n % 900))).join(',')}`;
    for (const line of [many('EXDATE'), many('RDATE')]) {
      const events = Array.from({ length: 140 }, (_, n) =>
        event(`UID:${n}`, 'DTSTART;VALUE=DATE:20270204', line),
      );
      expect(() => readFeed(calendarWith(...events), listing, now), line.slice(0, 6)).toThrow(
        'takes too long to read',
      );
    }
  });

  it('suffices for a zone with tens of thousands of onsets, each found by bisection', () => {
    const rules = Array.from({ length: 150 }, (_, n) => [
      'BEGIN:STANDARD',
      `DTSTART:2026${String((n % 12) + 1).padStart(2, '0')}01T000000`,
      'RRULE:FREQ=DAILY;COUNT=300',
      'TZOFFSETTO:+0700',
      'END:STANDARD',
    ]);
    const zone = ['BEGIN:VTIMEZONE', 'TZID:X', ...rules.flat(), 'END:VTIMEZONE'].join('\r\n');
    const events = Array.from({ length: 1900 }, (_, n) =>
      event(
        `UID:${n}`,
        `DTSTART;TZID=X:${day(30 + (n % 300))}T140000`,
        `DTEND;TZID=X:${day(30 + (n % 300))}T160000`,
      ),
    );
    const text = calendarWith(...events).replace('BEGIN:VEVENT', `${zone}\r\nBEGIN:VEVENT`);
    // With every onset compared for every time this took minutes; the clock stands still here, so only the steps count.
    expect(readFeed(text, listing, now, new ReadingBudget(() => 0)).events).toHaveLength(1900);
  });
});
