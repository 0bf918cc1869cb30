import { describe, expect, it } from 'vitest';
import { fixedClock } from '../../shared/platform/time/clock.ts';
import {
  idAfter,
  isOrderId,
  newEventId,
  newId,
  newOrderId,
  newQuoteId,
  orderIdOf,
  reservationIdOf,
} from '../../shared/platform/ids.ts';

const clock = fixedClock('2027-01-15T03:00:00.000Z');

describe('ids', () => {
  it('are safe integers, grow within a process and never repeat within one moment', () => {
    const ids = Array.from({ length: 5000 }, () => newId(clock));
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort((one, other) => one - other)).toEqual(ids);
  });

  it('grow in the order in which they are made, although the test clock goes back', () => {
    const steady = clock.now();
    const at = (days: number) => ({ now: () => steady + days * 86_400_000, steady: () => steady });
    const clocks = [0, 1000, -20_000, 0, 60_000].map(at);
    const ids = clocks.map(newId);
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
    expect(ids.toSorted((one, other) => one - other)).toEqual(ids);
    const events = clocks.map(newEventId);
    expect(events.toSorted()).toEqual(events);
  });

  it('of orders are multiples of 16 that lead from their reservations back', () => {
    const orders = Array.from({ length: 200 }, () => newOrderId(clock));
    expect(new Set(orders).size).toBe(orders.length);
    for (const order of orders) {
      expect(isOrderId(order)).toBe(true);
      for (const position of [0, 9]) {
        const reservation = reservationIdOf(order, position);
        expect(isOrderId(reservation)).toBe(false);
        expect(orderIdOf(reservation)).toBe(order);
      }
    }
  });

  it('never repeat, however many orders fall into one moment', () => {
    const now = fixedClock('2027-01-14T03:00:00.000Z');
    const orders = Array.from({ length: 20_000 }, () => newOrderId(now));
    expect(new Set(orders).size).toBe(orders.length);
    expect([...orders].sort((one, other) => one - other)).toEqual(orders);
  });

  it('are below the one after their moment, however many are made, and above that of an hour before', () => {
    const now = fixedClock('2027-01-17T03:00:00.000Z');
    const orders = Array.from({ length: 20_000 }, () => newOrderId(now));
    expect(Math.max(...orders)).toBeLessThan(idAfter(now.now()));
    expect(Math.min(...orders)).toBeGreaterThan(idAfter(now.now() - 3_600_000));
  });

  it('of quotes are order ids too, which no order gets by itself', () => {
    const now = fixedClock('2027-01-16T03:00:00.000Z');
    const made = Array.from({ length: 100 }, () => [newOrderId(now), newQuoteId(now)] as const);
    const quotes = new Set(made.map(([, quote]) => quote));
    expect(quotes.size).toBe(100);
    for (const [order, quote] of made) {
      expect([isOrderId(quote), orderIdOf(reservationIdOf(quote, 9))]).toEqual([true, quote]);
      // Whatever the moment: the two are never equal.
      expect([(order / 16) % 2, (quote / 16) % 2]).toEqual([0, 1]);
    }
  });

  it('of a later moment are larger', () => {
    const before = [newId(clock), newOrderId(clock)];
    clock.advance(1000);
    expect(newId(clock)).toBeGreaterThan(Math.max(...before));
    expect(newOrderId(clock)).toBeGreaterThan(Math.max(...before));
  });

  it('are safe integers until 2090', () => {
    expect(newOrderId(fixedClock('2090-01-01T00:00:00Z'))).toBeLessThan(Number.MAX_SAFE_INTEGER);
  });

  it('of events sort by time, and within a moment as they were made', () => {
    const moment = fixedClock('2027-01-15T03:00:00.000Z');
    const ids = Array.from({ length: 500 }, () => newEventId(moment));
    moment.advance(1);
    ids.push(newEventId(moment));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });
});
