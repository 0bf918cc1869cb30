import { actingTeam } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { addDays, dateOf, dayNumber, toLocal, today } from '../../platform/time/time.ts';
import { presentToHost } from '../booking/index.ts';
import {
  awaitsTransfer,
  type BookingState,
  isToReturn,
  isTransferDue,
  type Reservation,
  reservationRead,
  stateOf,
  stayedUntil,
  type StayRow,
  takesPlace,
  teamStayRows,
} from '../booking/model.ts';
import { unreadThreads } from '../chat/index.ts';
import { referenceOf } from '../transfer/model.ts';
import { conflictsOf } from '../ical/model.ts';
import { importedToday } from './imported-stays.ts';
import type { Today, TodayBooking } from './today.schema.ts';

/** The zones of the earliest and of the latest date on earth: UTC-12 and UTC+14. */
const earthly = ['Etc/GMT+12', 'Etc/GMT-14'] as const;

/** A stay that has ended is CHECKED_OUT a day later by itself; a late schedule takes two more. */
const mostDaysOver = 3;

/** Who never records what was handed over has a long list. */
const mostToReturn = 100;

/** Returns what the acting team has to do today, by the time zone of each listing (D95). */
export const readToday = async (ctx: Context): Promise<Today> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'read');
  const [stays, imported, unread, conflicts] = await Promise.all([
    staysOfToday(ctx, teamId),
    importedToday(ctx, teamId, datesOfToday(ctx)),
    unreadThreads(ctx, teamId),
    conflictsOf(ctx.table, teamId),
  ]);
  const now = ctx.clock.now();
  const shown = (holds: (stay: Reservation, date: string) => boolean): TodayBooking[] =>
    stays.filter((stay) => holds(stay, today(now, stay.timezone))).map(presentToday);
  const isArrival = (stay: Reservation, date: string): boolean =>
    takesPlace(stay.state) && (stay.check_in_date === date || isLate(stay, now));
  const isDeparture = (stay: Reservation, date: string): boolean =>
    takesPlace(stay.state) && dateOf(stayedUntil(stay)) === date;
  const isInHouse = ({ state }: Reservation): boolean => state === 'CHECKED_IN';
  return {
    arrivals: shown(isArrival),
    departures: shown(isDeparture),
    in_house: shown(isInHouse),
    unpaid: shown(
      (stay, date) => stay.payment_status === 'PENDING' && (isArrival(stay, date) || isInHouse(stay)),
    ),
    to_accept: shown(({ state }) => state === 'PENDING'),
    transfers_due: transfersDue(stays, now),
    to_return: shown(isToReturn),
    imported_arrivals: imported.arrivals,
    imported_departures: imported.departures,
    unread,
    conflicts: conflicts.flatMap(({ listing_id, feed_id, host, label = null, conflicts: times }) =>
      times.map(({ start_at, end_at, booking_id = null }) => ({
        listing_id,
        feed_id,
        host,
        label,
        start_at,
        end_at,
        booking_id,
      })),
    ),
  };
};

/** Whether the guest may still come after midnight of the date of check-in: hosts without a desk leave stays CONFIRMED to their end. */
const isLate = ({ state, check_in_date, end_at, timezone }: Reservation, now: number): boolean => {
  const local = toLocal(now, timezone);
  return (
    state === 'CONFIRMED' &&
    check_in_date < dateOf(local) &&
    local < `${addDays(check_in_date, 1)}T12:00:00` &&
    dateOf(local) <= dateOf(end_at)
  );
};

/** Those that end first come first, those without a limit last. */
const transfersDue = (stays: readonly Reservation[], now: number): Today['transfers_due'] =>
  stays
    .filter(awaitsTransfer)
    .sort((one, other) => (one.pay_until ?? Infinity) - (other.pay_until ?? Infinity))
    .map((stay) => ({
      ...presentToday(stay),
      reference: referenceOf(stay.order_id),
      expires_today:
        stay.pay_until !== undefined && today(stay.pay_until, stay.timezone) <= today(now, stay.timezone),
    }));

/** The dates that are today somewhere on earth. */
const datesOfToday = ({ clock }: Pick<Context, 'clock'>): { first: string; last: string } => ({
  first: today(clock.now(), earthly[0]),
  last: today(clock.now(), earthly[1]),
});

/** Returns the stays that may be shown, by their times: on any date that is today somewhere on earth. */
const staysOfToday = async (ctx: Context, teamId: number): Promise<Reservation[]> => {
  const { first, last } = datesOfToday(ctx);
  const [firstDay, lastDay] = [dayNumber(first), dayNumber(last)];
  const isDay = (day: number, from: number): boolean => day >= from && day <= lastDay;
  const isOpen = (state: BookingState): boolean => state === 'PENDING' || state === 'CHECKED_IN';
  const rows = await teamStayRows(
    ctx,
    teamId,
    addDays(first, -mostDaysOver),
    (row) => {
      const state = stateOf(row);
      const isNear = takesPlace(state) && row.check_in <= lastDay;
      return isOpen(state) || isTransferDue(row) || row.to_return === 1 || isNear;
    },
    { withToReturn: true },
  );
  const toReturn = lastToReturn(rows);
  const wanted = rows.filter(
    (row) =>
      isOpen(stateOf(row)) ||
      toReturn.has(row.id) ||
      isTransferDue(row) ||
      isDay(row.check_in, firstDay - 1) ||
      isDay(row.out, firstDay),
  );
  const found = await ctx.table.getAll(
    wanted.map(({ id }) => reservationRead(id)),
    { consistent: false },
  );
  return found
    .filter((stay) => stay !== undefined)
    .sort((one, other) =>
      one.start_at === other.start_at
        ? one.reservation_id - other.reservation_id
        : one.start_at < other.start_at
          ? -1
          : 1,
    );
};

const startOf = ({ check_in, starts }: StayRow): number => check_in * daySeconds + starts;
const daySeconds = 86_400;

const lastToReturn = (rows: readonly StayRow[]): Set<number> =>
  new Set(
    rows
      .filter(({ to_return }) => to_return === 1)
      .sort((one, other) => startOf(other) - startOf(one) || other.id - one.id)
      .slice(0, mostToReturn)
      .map(({ id }) => id),
  );

const presentToday = (stay: Reservation): TodayBooking => ({
  ...presentToHost(stay),
  arrival_time: stay.guest.arrival_time ?? null,
  note: stay.guest.note ?? null,
});
