import { describe, expect, it } from 'vitest';
import type { AvailabilityEntry } from '../../../shared/domain/calendar/calendar.store.ts';
import { monthSpans, noHours, withSpan } from '../../../shared/domain/calendar/hours.rules.ts';
import {
  type CalendarTime,
  takenStretches,
  unexplainedTime,
} from '../../../shared/domain/front-desk/taken-stretches.rules.ts';

const [home, month] = [4711, '2027-02'];
const span = { start_at: '2027-02-04T14:00:00', end_at: '2027-02-06T12:00:00' };
const interval = { start_at: '2027-02-06T12:00:00', end_at: '2027-02-06T15:00:00' };

const entry = (given: Partial<AvailabilityEntry>): AvailabilityEntry => ({
  ...{ calendar_id: home, availability_id: 5, listing_id: home, state: 'BOOKED', ...span },
  ...{ reservation_id: 17, order_id: 16, locked_until: null, note: null, preparation_hours: 3 },
  created_at: '2027-01-15T03:00:00.000Z',
  ...given,
});

/** A stay with its preparation, of which the list of bookings knows nothing yet. */
const time = (entries: readonly AvailabilityEntry[]): CalendarTime => {
  const hours = [span, interval].flatMap(monthSpans).reduce(withSpan, noHours());
  return {
    ...{ calendar_id: home, months: [{ calendar_id: home, month, taken: { [home]: hours }, locks: {} }] },
    ...{ staysOf: () => [], entries, now: 0 },
    range: { start_at: '2027-02-01T00:00:00', end_at: '2027-03-01T00:00:00' },
  };
};

const unset = { booking_id: null, source: null, summary: null, because_of: null };
const nothing = { ...unset, payment: null, guest_name: null };

describe('taken time that no known stay explains', () => {
  it('is read as entries: a stay of the last seconds, and the preparation after it', () => {
    expect(unexplainedTime(time([]))).toEqual({ start_at: span.start_at, end_at: interval.end_at });
    const ids = { availability_id: 5, booking_id: 17 };
    expect(takenStretches(home, time([entry({})]))).toEqual([
      { ...nothing, kind: 'STAY', ...ids, state: 'BOOKED', ...span },
      { ...nothing, kind: 'PREPARATION', ...ids, state: 'BLOCKED', ...interval },
    ]);
  });

  it('is a block where no entry is known either, and no soft lock names it', () => {
    const block = { ...nothing, kind: 'BLOCK', availability_id: null, state: 'BLOCKED' };
    const whole = { start_at: span.start_at, end_at: interval.end_at };
    for (const entries of [[], [entry({ state: 'SOFT_LOCK', locked_until: 1 })], [entry({ listing_id: 1 })]])
      expect(takenStretches(home, time(entries))).toEqual([{ ...block, ...whole }]);
  });
});
