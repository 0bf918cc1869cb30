import { randomInt, randomUUID } from 'node:crypto';
import type { Clock } from './time/clock.ts';

const epoch = Date.UTC(2024, 0, 1);
/** 34 bits of eighths of a second last 68 years; 19 bits are random. */
const ticksPerSecond = 8;
const idsPerTick = 2 ** 19;
/** Reservation ids follow the id of their order, so either id leads to the same partition (D49, D73). */
const orderSpan = 16;
const longestStep = 16;
/** A process that issues more ids than fit into a tick goes on into the following ticks, by a minute at most. */
const mostAhead = 60 * ticksPerSecond * idsPerTick;

/** Ids grow in the order in which they are made, wherever the test clock is. */
const timeOf = (clock: Clock): number => clock.steady?.() ?? clock.now();

let lastIssued = 0;

/**
 * Returns a new identifier (D2). It grows with time and needs no counter item. The write that uses it is conditional on
 * absence, so a collision is a conflict, never a shared id.
 */
export const newId = (clock: Clock): number => clock.nextId?.() ?? issue(clock, 1);

/** Returns a new order id: an even multiple of 16. Its reservations are `orderId + 1` to `orderId + 15`. */
export const newOrderId = (clock: Clock): number => clock.nextId?.() ?? issue(clock, 2 * orderSpan);

/** Returns the id of an order that a quote may become later: an odd multiple of 16, so that no other order ever has it. */
export const newQuoteId = (clock: Clock): number =>
  clock.nextId?.() ?? issue(clock, 2 * orderSpan) + orderSpan;

export const reservationIdOf = (orderId: number, position: number): number => orderId + 1 + position;

/** Returns the order id of a master or reservation id. */
export const orderIdOf = (bookingId: number): number => bookingId - (bookingId % orderSpan);

export const isOrderId = (bookingId: number): boolean => bookingId % orderSpan === 0;

/** Returns the partition key of an order: its lock, stays, payment and history. */
export const orderPartition = (orderId: number): string => `ORDER#${orderId}`;

let lastEventMoment = 0;
let eventsOfMoment = 0;
const eventsOrdered = 36 ** 3;

/** Returns a sortable event id: the time, a counter of this process within the millisecond, and random bits. */
export const newEventId = (clock: Clock): string => {
  const now = timeOf(clock);
  eventsOfMoment = now === lastEventMoment ? eventsOfMoment + 1 : 0;
  lastEventMoment = now;
  const time = now.toString(36).padStart(9, '0');
  const position = (eventsOfMoment % eventsOrdered).toString(36).padStart(3, '0');
  return `evt_${time}${position}${randomUUID().replaceAll('-', '').slice(-13)}`;
};

const tickAt = (epochMs: number): number =>
  Math.floor(((epochMs - epoch) * ticksPerSecond) / 1000) * idsPerTick;

/** Returns an id above all that are made until an instant, in epoch milliseconds. */
export const idAfter = (epochMs: number): number => tickAt(epochMs) + mostAhead + 2 * idsPerTick;

const issue = (clock: Clock, multipleOf: number): number => {
  const tick = tickAt(timeOf(clock));
  const continues = lastIssued >= tick && lastIssued < tick + mostAhead;
  const earliest = continues ? lastIssued + 1 : tick + randomInt(1, idsPerTick);
  const id = (Math.ceil(earliest / multipleOf) + randomInt(0, longestStep)) * multipleOf;
  lastIssued = id + multipleOf - 1;
  return id;
};
