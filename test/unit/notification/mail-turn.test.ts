import { describe, expect, it } from 'vitest';
import {
  hoursAhead,
  nextTurn,
  partiesOf,
  remembered,
  withMail,
} from '../../../shared/domain/notification/mail-turn.rules.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2027-01-15T03:20:00Z');
const turns = (...at: number[]) => at.map((one) => ({ at: one, mail: String(one) }));
const many = (count: number, at: number) => turns(...Array.from({ length: count }, () => at));

describe('the turn of a mail', () => {
  it('is now while its address has had fewer than 10 in the last hour and 30 in the last day', () => {
    expect(nextTurn([[]], undefined, start)).toBe(start);
    expect(nextTurn([many(9, start - minute)], undefined, start)).toBe(start);
    expect(nextTurn([many(10, start - hour)], undefined, start)).toBe(start);
    expect(nextTurn([many(29, start - 2 * hour)], undefined, start)).toBe(start);
  });

  it('is when the tenth last is an hour ago, and the thirtieth last a day', () => {
    expect(nextTurn([many(10, start - minute)], undefined, start)).toBe(start + 59 * minute);
    expect(nextTurn([many(30, start - 2 * hour)], undefined, start)).toBe(start + 22 * hour);
  });

  it('comes after those that wait, and keeps both limits at all times', () => {
    let given: { at: number; mail: string }[] = [];
    for (let now = start; now < start + 48 * hour; now += 7 * minute) {
      given = remembered(given, now);
      const at = nextTurn([given], undefined, now);
      if (at !== undefined) given = [...given, ...turns(at)].sort((one, other) => one.at - other.at);
      for (const { at: from } of given) {
        const within = (ms: number) => given.filter((one) => one.at >= from && one.at < from + ms).length;
        expect(within(hour)).toBeLessThanOrEqual(10);
        expect(within(24 * hour)).toBeLessThanOrEqual(30);
      }
      expect(given.length).toBeLessThanOrEqual(60);
    }
  });

  it('is the latest that its parties allow', () => {
    const both = [many(10, start - 30 * minute), many(10, start - 10 * minute)];
    expect(nextTurn(both, undefined, start)).toBe(start + 50 * minute);
    expect(nextTurn(both.toReversed(), undefined, start)).toBe(start + 50 * minute);
  });

  it('is none where it would wait for more than a day', () => {
    expect(nextTurn([many(30, start)], undefined, start)).toBe(start + 24 * hour);
    expect(nextTurn([many(30, start + minute)], undefined, start)).toBeUndefined();
  });

  it('is not put off by turns and hours of a clock that was turned back', () => {
    const later = start + 31 * 24 * hour;
    expect(remembered([...many(2, start), ...many(30, later)], start)).toEqual(many(2, start));
    const hours = [{ hour: Math.floor(later / hour), mails: 500 }];
    expect(hoursAhead(hours, later)).toEqual(hours);
    expect(hoursAhead(hours, start)).toEqual([]);
  });

  it('is in an hour in which the key has fewer than 500', () => {
    const now = Math.floor(start / hour);
    const hours = (...mails: number[]) => mails.map((count, at) => ({ hour: now + at, mails: count }));
    expect(nextTurn([[]], hours(499), start)).toBe(start);
    expect(nextTurn([[]], hours(500), start)).toBe((now + 1) * hour);
    expect(nextTurn([[]], hours(500, 500, 3), start)).toBe((now + 2) * hour);
    expect(nextTurn([many(10, start - 5 * minute)], hours(0, 500), start)).toBe((now + 2) * hour);
    expect(
      nextTurn(
        [[]],
        Array.from({ length: 26 }, (_, at) => ({ hour: now + at, mails: 500 })),
        start,
      ),
    ).toBeUndefined();
  });
});

describe('what a key has sent', () => {
  it('is counted in the hour of the turn, and forgotten when that is over', () => {
    const now = Math.floor(start / hour);
    const one = withMail([], start);
    expect(one).toEqual([{ hour: now, mails: 1 }]);
    const three = withMail(withMail(one, start + hour), start + hour);
    expect(three).toEqual([
      { hour: now, mails: 1 },
      { hour: now + 1, mails: 2 },
    ]);
    expect(hoursAhead(three, (now + 1) * hour - 1)).toEqual(three);
    expect(hoursAhead(three, (now + 1) * hour)).toEqual([{ hour: now + 1, mails: 2 }]);
  });
});

it('a mail is on behalf of the team, and of the key that booked, else of the guest with an account', () => {
  const guest = { user_id: 5, full_name: '', phone: '', email: '', language: 'vi' };
  expect(partiesOf({ team_id: 71, key_id: 3, guest })).toEqual(['team:71', 'key:3']);
  expect(partiesOf({ team_id: 71, key_id: null, guest })).toEqual(['team:71', 'user:5']);
  expect(partiesOf({ team_id: 71, key_id: null, guest: { ...guest, user_id: null } })).toEqual(['team:71']);
});
