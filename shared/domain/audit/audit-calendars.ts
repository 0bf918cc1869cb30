import { instantText } from '../../platform/time/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { orderIdOf } from '../../platform/ids.ts';
import { readOf } from '../../platform/table/index.ts';
import { inLanes } from '../../platform/in-lanes.ts';
import { type Reservation, ReservationEntity } from '../booking/model.ts';
import {
  type AvailabilityEntry,
  calendarOf,
  familyMonths,
  hoursInMonth,
  hourText,
  overlappingEntries,
  readFamily,
  takenUntil,
} from '../calendar/model.ts';
import { readListing } from '../listing/model.ts';
import { type Violation, violationsOf } from './audit-rule.rules.ts';
import type { AuditReading } from './audit-reading.store.ts';
import type { AuditScope, Finding } from './audit-round.entity.ts';
import { calendarRules } from './calendar-audit.rules.ts';
import type { AuditedOrder } from './order-audit.rules.ts';

type TimeScope = Extract<AuditScope, { kind: 'time' }>;
type CalendarScope = Extract<AuditScope, { kind: 'calendar' }>;

/** Months of a calendar to be audited, with what led there. */
interface CalendarPart extends Pick<CalendarScope, 'calendar_id' | 'first' | 'last' | 'timezone'> {
  stays: Reservation[];
  /** Orders of which every entry is compared. */
  orders: number[];
}

interface TouchedCalendars {
  orders: readonly AuditedOrder[];
  times: readonly TimeScope[];
  calendars: readonly CalendarScope[];
}

/** Audits the months of the calendars that orders or other changes touch, each calendar once. */
export const auditCalendars = async (
  { clock }: Pick<Dependencies, 'clock'>,
  reading: AuditReading,
  { orders, times, calendars }: TouchedCalendars,
): Promise<Finding[]> => {
  const touched: CalendarPart[] = [
    ...orders.flatMap(({ reservations }) => reservations.map(ofStay)),
    ...(await inLanes(times, (scope) => ofTime(reading, scope))).flat(),
    ...calendars.map(({ order_id, ...scope }) => ({
      ...scope,
      stays: [],
      orders: order_id === null ? [] : [order_id],
    })),
  ];
  const parts = Map.groupBy(touched, ({ calendar_id }) => calendar_id);
  const found = await inLanes([...parts.values()], (some) =>
    auditCalendar(reading, joined(some), clock.now()),
  );
  return found.flat();
};

const monthOf = (local: string): string => local.slice(0, 7);

const ofStay = (stay: Reservation): CalendarPart => ({
  calendar_id: stay.calendar_id,
  first: monthOf(stay.start_at),
  last: monthOf(takenUntil(stay)),
  timezone: stay.timezone,
  stays: [stay],
  orders: [],
});

const ofTime = async ({ table }: AuditReading, scope: TimeScope): Promise<CalendarPart[]> => {
  const listing = await readListing(table, scope.listing_id);
  if (!listing) return [];
  const { start_at, end_at } = scope;
  const range = { first: monthOf(start_at), last: monthOf(end_at) };
  return [{ calendar_id: calendarOf(listing), ...range, timezone: listing.timezone, stays: [], orders: [] }];
};

const joined = (parts: readonly CalendarPart[]): CalendarPart =>
  parts.reduce((one, other) => ({
    ...one,
    first: other.first < one.first ? other.first : one.first,
    last: other.last > one.last ? other.last : one.last,
    stays: [...one.stays, ...other.stays],
    orders: [...one.orders, ...other.orders],
  }));

const auditCalendar = async (reading: AuditReading, part: CalendarPart, now: number): Promise<Finding[]> => {
  const { table, consistent } = reading;
  const { calendar_id, first, last, timezone, stays } = part;
  const range = { start_at: hourText(first, 0), end_at: hourText(last, hoursInMonth(last)) };
  const [months, entries] = await Promise.all([
    readFamily(table, calendar_id, { first, last, consistent }),
    overlappingEntries(table, calendar_id, range, { consistent }),
  ]);
  const others = entriesToCompare(reading, entries, part);
  const read = await table.getAll(
    others.map(({ order_id, reservation_id }) =>
      readOf(ReservationEntity, { order_id: order_id ?? 0, reservation_id: reservation_id ?? 0 }),
    ),
    { consistent },
  );
  const known = [...stays, ...read.filter((stay) => stay !== undefined)];
  const readIds = new Set([
    ...known.map(({ reservation_id }) => reservation_id),
    ...others.map(({ reservation_id }) => reservation_id ?? 0),
  ]);
  const calendar = {
    ...{ calendar_id, range: { first, last }, months: familyMonths(months), entries, timezone, now },
    ...{ stays: known, readIds },
  };
  return violationsOf(calendarRules, calendar).map((violation) => ({
    ...violation,
    scope: scopeOf(part, violation),
  }));
};

/** A stay is found again by its order; other findings by the calendar. */
const scopeOf = (
  { calendar_id, first, last, timezone }: CalendarPart,
  { rule, where: { order_id, reservation_id } }: Violation,
): AuditScope => {
  if (rule === 'stay-without-entry' && typeof order_id === 'number') return { kind: 'order', order_id };
  const order = typeof reservation_id === 'number' ? orderIdOf(reservation_id) : null;
  return { kind: 'calendar', calendar_id, first, last, timezone, order_id: order };
};

/** Returns the entries of further stays that are new, or of the named orders; older ones were audited when they were new. */
const entriesToCompare = (
  { window }: AuditReading,
  entries: readonly AvailabilityEntry[],
  { stays, orders }: CalendarPart,
): AvailabilityEntry[] => {
  const ids = new Set(stays.map(({ reservation_id }) => reservation_id));
  const since = instantText(window.from);
  return entries.filter(
    ({ state, reservation_id, order_id, created_at }) =>
      state === 'BOOKED' &&
      reservation_id !== null &&
      !ids.has(reservation_id) &&
      (created_at >= since || orders.includes(order_id ?? 0)),
  );
};
