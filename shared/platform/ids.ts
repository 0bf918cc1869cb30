import { randomInt, randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';

const epoch = Date.UTC(2024, 0, 1);
const chanceBits = 4096;
/** Reservations of an order are numbered within its id, so either id leads to the same partition (D49, D73). */
const orderSpan = 16;

let lastIssued = 0;

/**
 * A new identifier (D2): 41 bits of milliseconds, 12 bits of chance. It grows with time, needs no counter item, and the
 * write that uses it still has the condition "absent", so that a clash is a lost race and never a shared id.
 */
export const newId = (clock: Clock): number => issue(clock, randomInt(1, chanceBits));

/** A new order id: a multiple of 16, so that its reservations are `orderId + 1` to `orderId + 15`. */
export const newOrderId = (clock: Clock): number =>
  issue(clock, randomInt(0, chanceBits / orderSpan) * orderSpan);

export const reservationIdOf = (orderId: number, position: number): number => orderId + 1 + position;

/** The order that a master or reservation id belongs to. */
export const orderIdOf = (bookingId: number): number => bookingId - (bookingId % orderSpan);

export const isOrderId = (bookingId: number): boolean => bookingId % orderSpan === 0;

/** A sortable text id for events: time first, then chance. */
export const newEventId = (clock: Clock): string =>
  `evt_${clock.now().toString(36).padStart(9, '0')}${randomUUID().replaceAll('-', '').slice(0, 16)}`;

const issue = (clock: Clock, chance: number): number => {
  const id = (clock.now() - epoch) * chanceBits + chance;
  if (id === lastIssued) return issue(clock, (chance + orderSpan) % chanceBits);
  lastIssued = id;
  return id;
};
