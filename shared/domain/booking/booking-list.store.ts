import { createHash } from 'node:crypto';
import type { Context, Dependencies } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { foldText } from '../../platform/fold-text.ts';
import { inLanes } from '../../platform/in-lanes.ts';
import { isOrderId, orderIdOf, reservationIdOf } from '../../platform/ids.ts';
import {
  type Condition,
  type ListKind,
  type Owner,
  listRows,
  packList,
  pageList,
} from '../../platform/lists/index.ts';
import type { PageOf, PagingQuery } from '../../platform/schema.ts';
import { addSeconds, atTime, dateOf, dateOfDay, hoursBetween, nightsBetween } from '../../platform/time.ts';
import type { LocalRange } from '../calendar/model.ts';
import type { BookingFilter } from './booking-filter.schema.ts';
import {
  guestStays,
  type Reservation,
  ReservationEntity,
  reservationRead,
  teamStays,
} from './booking.entity.ts';
import { findOrder } from './booking.store.ts';
import { stayedUntil } from './unused-time.rules.ts';

/**
 * The columns by which lists of bookings are filtered and sorted. Dates are days since 1970; texts that are only compared
 * for equality are hashed.
 */
export interface StayRow {
  id: number;
  updated: number;
  team: number;
  listing: number;
  standing: string;
  check_in: number;
  nights: number;
  external: number | null;
  phone: number;
  email: number;
  name: string;
  /** The day until which the stay takes its time; `nights` does not count an early departure. */
  out: number;
  /** Seconds from the midnight before check-in, and from that of `out`. */
  starts: number;
  ends: number;
  guest: string;
}

export const ownerTeam = (teamId: number): Owner => ({
  ...{ index: 'by_team', pk: teamStays(teamId), name: `T${teamId.toString(36)}` },
});
export const ownerGuest = (userId: number): Owner => ({
  ...{ index: 'by_audience', pk: guestStays(userId), name: `G${userId.toString(36)}` },
});

export const stayList: ListKind<StayRow, Reservation> = {
  name: 'BOOKINGS',
  planes: {
    main: {
      updated: 'number',
      team: 'choice',
      listing: 'choice',
      standing: 'choice',
      check_in: 'number',
      nights: 'number',
    },
    external: { external: 'number' },
    contact: { phone: 'number', email: 'number' },
    name: { name: 'text' },
    times: { out: 'number', starts: 'number', ends: 'number' },
    guest: { guest: 'text' },
  },
  rowOf: (stay) => ({
    id: stay.reservation_id,
    updated: Date.parse(stay.updated_at),
    team: stay.team_id,
    listing: stay.listing_id,
    standing: `${stay.state} ${stay.payment_status}`,
    check_in: dayOf(stay.check_in_date),
    nights: nightsBetween(stay.check_in_date, stay.check_out_date),
    external: stay.external_booking_id === null ? null : hashOf(stay.external_booking_id),
    phone: hashOf(phoneText(stay.guest.phone)),
    email: hashOf(stay.guest.email.toLowerCase()),
    name: foldText(stay.guest.full_name),
    ...timesOf(stay),
    guest: stay.guest.full_name,
  }),
  entity: ReservationEntity,
  keyOf: (id) => ReservationEntity.key({ order_id: orderIdOf(id), reservation_id: id }),
  belongs: (stay, { index, pk }) => ReservationEntity.indexes(stay)[index]?.pk === pk,
  packedFrom: 50,
};

const timesOf = (stay: Reservation) => {
  const end = stayedUntil(stay);
  const secondsFrom = (date: string, local: string) => hoursBetween(atTime(date, '00:00:00'), local) * 3600;
  return {
    out: dayOf(dateOf(end)),
    starts: Math.round(secondsFrom(stay.check_in_date, stay.start_at)),
    ends: Math.round(secondsFrom(dateOf(end), end)),
  };
};

/** Returns when the stay of a row begins, and until when it takes its time. */
export const stayTimes = ({ check_in, starts, out, ends }: StayRow): LocalRange => ({
  start_at: addSeconds(atTime(dateOfDay(check_in), '00:00:00'), starts),
  end_at: addSeconds(atTime(dateOfDay(out), '00:00:00'), ends),
});

const dayOf = (date: string): number => nightsBetween('1970-01-01', date);

const hashBits = 30;
/**
 * Returns the hash of a text that is only compared for equality. In a list of 10,000 a query meets a collision with
 * probability 1 in 100,000.
 */
const hashOf = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE() >>> (32 - hashBits);

/** Returns the digits of a telephone number; the country code of Viet Nam is dropped. */
const phoneText = (phone: string): string => phone.replaceAll(/\D/g, '').replace(/^(00)?84/, '0');

type StayFilter = Omit<BookingFilter, 'sort_by' | 'sort_order'>;

/** Returns the conditions of a filter. Throws VALIDATION_ERROR for dates in the wrong order or contradictory states. */
export const stayConditions = (filter: StayFilter): Condition<StayRow>[] => {
  requireOrder(filter);
  const { state, status, payment_status, listing_id, updated_since, external_booking_id, q } = filter;
  if (state !== undefined && status !== undefined && state !== status)
    throw invalid({ path: 'status', message: 'is another name of state: give one of them' });
  const wanted = state ?? status;
  return [
    ...(wanted === undefined ? [] : [standing((text) => text.startsWith(`${wanted} `))]),
    ...(payment_status === undefined ? [] : [standing((text) => text.endsWith(` ${payment_status}`))]),
    ...(listing_id === undefined ? [] : [ofListing(listing_id)]),
    ...dateConditions(filter),
    ...(updated_since === undefined ? [] : [changedFrom(Date.parse(updated_since))]),
    ...(external_booking_id === undefined ? [] : [named(external_booking_id)]),
    ...(q === undefined ? [] : [ofGuest(q)]),
  ];
};

const requireOrder = (filter: StayFilter): void => {
  const ranges = [
    ['from', 'to'],
    ['check_in_from', 'check_in_to'],
    ['check_out_from', 'check_out_to'],
  ] as const;
  for (const [from, to] of ranges) {
    const [first, last] = [filter[from], filter[to]];
    if (first !== undefined && last !== undefined && last < first)
      throw invalid({ path: to, message: `${to} is before ${from}` });
  }
};

const standing = (test: (text: string) => boolean): Condition<StayRow> => ({
  columns: ['standing'],
  test: (row) => test(row.standing),
});

const ofListing = (listingId: number): Condition<StayRow> => ({
  columns: ['listing'],
  test: ({ listing }) => listing === listingId,
});

const changedFrom = (epochMs: number): Condition<StayRow> => ({
  columns: ['updated'],
  test: ({ updated }) => updated >= epochMs,
});

const named = (externalId: string): Condition<StayRow> => {
  const hash = hashOf(externalId);
  return { columns: ['external'], test: ({ external }) => external === hash };
};

const dateConditions = (filter: StayFilter): Condition<StayRow>[] => {
  const checkIn = ({ check_in }: StayRow) => check_in;
  const checkOut = ({ check_in, nights }: StayRow) => check_in + nights;
  const bounds = [
    [filter.from, checkOut, 1],
    [filter.to, checkIn, -1],
    [filter.check_in_from, checkIn, 1],
    [filter.check_in_to, checkIn, -1],
    [filter.check_out_from, checkOut, 1],
    [filter.check_out_to, checkOut, -1],
  ] as const;
  return bounds.flatMap(([date, dayIn, direction]): Condition<StayRow>[] => {
    if (date === undefined) return [];
    const bound = dayOf(date);
    return [{ columns: ['check_in', 'nights'], test: (row) => direction * (dayIn(row) - bound) >= 0 }];
  });
};

/** Matches a whole e-mail address, a whole telephone number or booking id, or beginnings of words of a name. */
const ofGuest = (q: string): Condition<StayRow> => {
  if (q.includes('@')) {
    const hash = hashOf(q.toLowerCase());
    return { columns: ['email'], test: ({ email }) => email === hash };
  }
  if (/^\+?[\d ().-]+$/.test(q)) {
    const hash = hashOf(phoneText(q));
    const id = /^\d{1,15}$/.test(q) ? Number(q) : undefined;
    return {
      columns: ['phone'],
      test: ({ phone }) => phone === hash,
      ...(id === undefined ? {} : { orIds: { from: id, to: isOrderId(id) ? reservationIdOf(id, 14) : id } }),
    };
  }
  const beginnings = foldText(q).split(' ');
  return {
    columns: ['name'],
    test: ({ name }) => {
      const words = name.split(' ');
      return beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)));
    },
  };
};

const columnOf = { created_at: 'id', updated_at: 'updated', check_in: 'check_in' } as const;

/** Returns a page of the bookings of some owners, filtered and sorted; `only` is a further named condition. */
export const pageStays = (
  { table, clock }: Pick<Context, 'table' | 'clock'>,
  owners: readonly Owner[],
  { sort_by = 'created_at', sort_order = 'desc', ...filter }: BookingFilter,
  paging: PagingQuery,
  only?: { name: string; condition: Condition<StayRow> },
): Promise<PageOf<Reservation>> => {
  const query = {
    name: JSON.stringify([inFixedOrder(filter), only?.name]),
    conditions: [...stayConditions(filter), ...(only ? [only.condition] : [])],
    order: { by: columnOf[sort_by], descending: sort_order === 'desc' },
  };
  return pageList({ table, clock }, stayList, owners, query, paging);
};

/** The filter with its fields in a fixed order, without paging. */
const inFixedOrder = (filter: Omit<BookingFilter, 'sort_by' | 'sort_order'>) => {
  const { state, status, payment_status, listing_id, from, to, updated_since, external_booking_id, q } =
    filter;
  const { check_in_from, check_in_to, check_out_from, check_out_to } = filter;
  return {
    ...{
      state: state ?? status,
      payment_status,
      listing_id,
      from,
      to,
      updated_since,
      external_booking_id,
      q,
    },
    ...{ check_in_from, check_in_to, check_out_from, check_out_to },
  };
};

/**
 * Returns the rows of a team's stays that end on a day or later and meet a condition of the main plane, with the columns of
 * `times` and of further planes. Stays that have ended cost about two bytes each.
 */
export const teamStayRows = (
  { table, clock }: Pick<Context, 'table' | 'clock'>,
  teamId: number,
  from: string,
  condition: (row: Pick<StayRow, 'check_in' | 'standing'>) => boolean,
  further: readonly string[] = [],
): Promise<StayRow[]> => {
  const first = dayOf(from);
  const conditions: Condition<StayRow>[] = [
    { columns: ['out'], test: ({ out }) => out >= first },
    { columns: ['check_in', 'standing'], test: condition },
  ];
  return listRows({ table, clock }, stayList, ownerTeam(teamId), conditions, further);
};

/**
 * Updates the packed lists of the teams and guests of bookings, each list once; an order's id names all of its stays.
 * Idempotent, in any order.
 */
export const packStays = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  bookingIds: readonly number[],
): Promise<void> => {
  const [orders, single] = [bookingIds.filter(isOrderId), bookingIds.filter((id) => !isOrderId(id))];
  const whole = await inLanes(orders, (id) => findOrder(deps.table, id));
  const found = await deps.table.getAll(single.map(reservationRead));
  const reservations = [
    ...whole.flatMap((order) => order.reservations),
    ...found.filter((stay) => stay !== undefined),
  ];
  const idsOf = (stays: readonly Reservation[]) => stays.map(({ reservation_id }) => reservation_id);
  const teams = Map.groupBy(reservations, ({ team_id }) => team_id);
  const guests = Map.groupBy(reservations, ({ guest }) => guest.user_id);
  guests.delete(null);
  const lists = [
    ...[...teams].map(([team, stays]) => [ownerTeam(team), idsOf(stays)] as const),
    ...[...guests].map(([guest, stays]) => [ownerGuest(guest ?? 0), idsOf(stays)] as const),
  ];
  await inLanes(lists, ([owner, ids]) => packList(deps, stayList, owner, ids));
};
