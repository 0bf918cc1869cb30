import { expect } from 'vitest';
import type * as z from 'zod';
import type { bookingRoutes } from '../../functions/bookings/routes.ts';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { eventsOf } from './events.ts';
import { type ListingGiven, ok, type OrderScene, stay, type Who } from './order-scene.ts';

type Routes = (typeof bookingRoutes)['routes'];
export type Folio = z.output<Routes['getFolio']['reply']>;
export type BookedDetail = z.output<Routes['checkInBooking']['reply']>;

/** What the two nights of `stay` cost in a home of the scene. */
export const stayPrice = 2_200_000;

/** Returns what tests of the money of a booking ask of a scene. */
export const folioCalls = (s: OrderScene) => ({
  /** Books the guest's stay in a home of its own; returns its id. */
  book: async (given: ListingGiven = {}, payment_method = 'CASH'): Promise<number> => {
    const items = [stay(await s.listing(given))];
    return ok(await s.confirm(s.guest, { items, payment_method }), 201).reservations[0]!.id;
  },
  folio: async (id: number, who: Who = s.host): Promise<Folio> =>
    ok(await s.get<Folio>(who, `/api/v1/bookings/${id}/folio`)),
  bookingEvents: (id: number) => eventsOf(s.deps.table, `ORDER#${orderIdOf(id)}`),
  /** Requires that the audit finds nothing. */
  requireSound: async (id: number): Promise<void> =>
    expect((await auditBooking(s.deps, id)).findings).toEqual([]),
});
