import { auditListing } from '../../shared/domain/audit/index.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import type { Reservation } from '../../shared/domain/booking/reservation.entity.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { findOrder } from '../../shared/domain/booking/booking.store.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import type { Table } from '../../shared/platform/table/index.ts';
import { eventsOf } from './events.ts';
import { ofConsumers } from './platform-scene.ts';
import { preparationScene } from './preparation-scene.ts';
import { testContext, testUser } from './table.ts';

/** A room of a house, sold by nights and by hours, and a member of staff at its desk. */
export const earlyScene = async (given: Partial<Listing> = {}) => {
  const s = await preparationScene(given);
  const memberships = [{ team_id: s.team_id, role: 'STAFF' as const }];
  const { caller } = await testUser(s.deps, { memberships });
  const staff = testContext(s.deps, caller);
  const desk = (table: Table = s.deps.table) => testContext({ ...s.deps, table }, caller);
  /** Books a stay, by default from 4 February 14:00 to 6 February 12:00. */
  const booked = async (asked: object = {}, listing?: number): Promise<number> =>
    (await s.book(asked, listing)).reservations[0]!.id;
  const arrive = (id: number, local: string) => {
    s.at(local);
    return moveBooking(staff, id, 'check_in');
  };
  const leave = (id: number, local: string) => {
    s.at(local);
    return moveBooking(staff, id, 'check_out');
  };
  const undo = (id: number) => moveBooking(staff, id, 'undo_check_in');
  const stay = async (id: number): Promise<Reservation> => {
    const { reservations } = await findOrder(s.deps.table, orderIdOf(id));
    return reservations.find(({ reservation_id }) => reservation_id === id)!;
  };
  /** The hours whose change was announced: `from to`. */
  const announced = async (listing = s.room.id) =>
    (await eventsOf(s.deps.table, `LISTING#${listing}`))
      .filter(({ event_type }) => event_type === 'availability.changed')
      .map(({ data }) => `${String(data['start_at']).slice(5, 13)} ${String(data['end_at']).slice(5, 13)}`);
  /** What the audit finds wrong in the calendar of the house. */
  const audited = async (): Promise<string[]> => {
    const { findings } = await auditListing(s.deps, s.house.id);
    return findings.map(({ rule }) => rule).filter((rule) => !ofConsumers.includes(rule));
  };
  /** The desk, to which something else happens before its first read of several items. */
  const readingDesk = (meanwhile: () => Promise<unknown>) => {
    let isOver = false;
    const getAll: Table['getAll'] = async (reads, options) => {
      if (!isOver) {
        isOver = true;
        await meanwhile();
      }
      return s.deps.table.getAll(reads, options);
    };
    return desk(
      new Proxy(s.deps.table, {
        get: (target, name) => {
          if (name === 'getAll') return getAll;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      }),
    );
  };
  return { ...s, readingDesk, staff, desk, booked, arrive, leave, undo, stay, announced, audited };
};
