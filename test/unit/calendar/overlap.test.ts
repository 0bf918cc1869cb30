import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  isUnavailable,
  noHours,
  takenWithin,
  unavailableHours,
  withSpan,
} from '../../../shared/domain/calendar/model.ts';

const hours = 28 * 24;
const now = 1000;
const span = fc
  .tuple(fc.nat(hours - 2), fc.integer({ min: 1, max: 100 }))
  .map(([from, length]) => ({ from, to: Math.min(from + length, hours) }));
/** 1 is the house, the others are its rooms. */
const listing = fc.constantFrom(1, 2, 3);
const lock = fc.record({
  listing_id: listing,
  span,
  until: fc.constantFrom(now, now + 1),
  holder: fc.constantFrom('a', 'b'),
  order_id: fc.constant(1),
});

it('a listing is unavailable in a span exactly where one of its hours is taken', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(listing, span), { maxLength: 4 }),
      fc.array(lock, { maxLength: 3 }),
      listing,
      fc.array(span, { minLength: 1, maxLength: 8 }),
      (stays, locks, asked, spans) => {
        const taken: Record<number, Uint8Array> = {};
        for (const [id, stay] of stays) taken[id] = withSpan(taken[id] ?? noHours(), stay);
        const month = {
          ...{ calendar_id: 1, month: '2027-02', taken },
          locks: Object.fromEntries(locks.map(({ span: held, ...one }, at) => [at, { ...held, ...one }])),
        };
        const all = unavailableHours(month, asked, now, 'a');
        for (const one of spans)
          expect(isUnavailable(one, month, asked, now, 'a')).toBe(takenWithin(all, one).length > 0);
      },
    ),
  );
});
