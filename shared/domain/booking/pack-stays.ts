import type { Dependencies } from '../../platform/context.ts';
import { orderIdOf } from '../../platform/ids.ts';
import { packList } from '../../platform/lists/index.ts';
import type { Reservation } from './booking.entity.ts';
import { findOrder } from './booking.store.ts';
import { ownerGuest, ownerTeam, stayList } from './stay-list.ts';

/** Brings the packed lists of a booking's team and guest up to date: again, late or in any order, it comes out the same. */
export const packStays = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  bookingId: number,
): Promise<void> => {
  const { reservations } = await findOrder(deps.table, orderIdOf(bookingId));
  const idsOf = (stays: readonly Reservation[]) => stays.map(({ reservation_id }) => reservation_id);
  const teams = Map.groupBy(reservations, ({ team_id }) => team_id);
  const guests = Map.groupBy(reservations, ({ guest }) => guest.user_id);
  for (const [team, stays] of teams) await packList(deps, stayList, ownerTeam(team), idsOf(stays));
  for (const [guest, stays] of guests)
    if (guest !== null) await packList(deps, stayList, ownerGuest(guest), idsOf(stays));
};
