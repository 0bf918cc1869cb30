import type { Context, Dependencies } from '../../platform/context.ts';
import { inLanes } from '../../platform/in-lanes.ts';
import { idAfter, isOrderId, orderIdOf } from '../../platform/ids.ts';
import {
  type Condition,
  type ListKind,
  type Owner,
  listRows,
  packList,
  pageList,
} from '../../platform/lists/index.ts';
import type { PageOf, PagingQuery } from '../../platform/schema/schema.ts';
import { dayNumber } from '../../platform/time/time.ts';
import type { BookingFilter } from './booking-filter.schema.ts';
import { takesPlace } from './booking-state.schema.ts';
import {
  guestStays,
  type Reservation,
  ReservationEntity,
  reservationRead,
  teamStays,
} from './reservation.entity.ts';
import { findOrder } from './booking.store.ts';
import { stayConditions } from './stay-filter.rules.ts';
import { stateOf, stayRow, type StayRow } from './stay-row.rules.ts';

export const ownerTeam = (teamId: number): Owner => ({
  ...{ index: 'by_team', pk: teamStays(teamId), name: `T${teamId.toString(36)}` },
});
export const ownerGuest = (userId: number): Owner => ({
  ...{ index: 'by_audience', pk: guestStays(userId), name: `G${userId.toString(36)}` },
});

export const stayList: ListKind<StayRow, Reservation> = {
  name: 'STAYROWS',
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
    times: { out: 'number', starts: 'number', ends: 'number', to_return: 'number' },
    shown: {
      ...{ guest: 'text', system: 'text', currency: 'text' },
      ...{ entry: 'number', due: 'number', preparation: 'number' },
    },
  },
  rowOf: stayRow,
  entity: ReservationEntity,
  keyOf: (id) => ReservationEntity.key({ order_id: orderIdOf(id), reservation_id: id }),
  belongs: (stay, { index, pk }) => ReservationEntity.indexes(stay)[index]?.pk === pk,
  packedFrom: 50,
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
  const { check_in_from, check_in_to, check_out_from, check_out_to, to_return } = filter;
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
    ...{ check_in_from, check_in_to, check_out_from, check_out_to, to_return },
  };
};

/**
 * Returns the rows of a team's stays that end on a day or later and meet a condition of the main plane, with the columns of
 * `times` and of further planes; `withToReturn`: those too that ended before and of which the host has to hand over something.
 * Stays that have ended cost about two bytes each.
 */
export const teamStayRows = (
  { table, clock }: Pick<Context, 'table' | 'clock'>,
  teamId: number,
  from: string,
  condition: (row: Pick<StayRow, 'check_in' | 'standing' | 'to_return'>) => boolean,
  { further = [], withToReturn = false }: { further?: readonly string[]; withToReturn?: boolean } = {},
): Promise<StayRow[]> => {
  const first = dayNumber(from);
  const conditions: Condition<StayRow>[] = [
    {
      columns: ['out', 'to_return'],
      test: ({ out, to_return }) => out >= first || (withToReturn && to_return === 1),
    },
    { columns: ['check_in', 'standing'], test: condition },
  ];
  return listRows({ table, clock }, stayList, ownerTeam(teamId), conditions, further);
};

/** A span of time: instants in epoch milliseconds, and its nights as days since 1970, the last one included. */
export interface StaySpan {
  from: number;
  to: number;
  firstNight: number;
  lastNight: number;
}

/**
 * Returns the stays of a team that may have changed within a span, made before its end and changed last after its beginning, and
 * those that take place with a night of it; what was written in the last seconds may be missing.
 */
export const teamStaysWithin = async (
  { table, clock }: Pick<Context, 'table' | 'clock'>,
  teamId: number,
  { from, to, firstNight, lastNight }: StaySpan,
): Promise<Reservation[]> => {
  const stays = (row: Pick<StayRow, 'check_in' | 'nights' | 'standing'>): boolean =>
    row.check_in <= lastNight && row.check_in + row.nights > firstNight && takesPlace(stateOf(row));
  const condition: Condition<StayRow> = {
    columns: ['updated', 'check_in', 'nights', 'standing'],
    test: (row) => row.updated >= from || stays(row),
  };
  const rows = await listRows({ table, clock }, stayList, ownerTeam(teamId), [condition], []);
  // Later ids are of stays that were made later; while the span lasts there are none.
  const end = clock.now() < to ? Number.MAX_SAFE_INTEGER : idAfter(to);
  const wanted = rows.filter((row) => row.id < end || stays(row));
  const found = await table.getAll(
    wanted.map(({ id }) => reservationRead(id)),
    { consistent: false },
  );
  return found.filter((stay) => stay !== undefined);
};

/**
 * Updates the packed lists of the teams and guests of bookings, each list once; an order's id names all of its stays.
 * Idempotent, in any order.
 * @param known - stays that were read already: their rows are of what is read after their list
 */
export const packStays = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  bookingIds: readonly number[],
  known: readonly Reservation[] = [],
): Promise<void> => {
  const knownIds = new Set(known.map(({ reservation_id }) => reservation_id));
  const unknown = bookingIds.filter((id) => !knownIds.has(id));
  const [orders, single] = [unknown.filter(isOrderId), unknown.filter((id) => !isOrderId(id))];
  const whole = await inLanes(orders, (id) => findOrder(deps.table, id));
  const found = await deps.table.getAll(single.map(reservationRead));
  const reservations = [
    ...known,
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
