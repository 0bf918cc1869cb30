import type { Context } from '../../platform/context.ts';
import { requireReadable } from '../listing/index.ts';
import type { ParkingRulesByVehicle } from './parking-rule.schema.ts';
import { readParking } from './parking-rules.store.ts';

/** The parking rules of a listing by vehicle type. */
export const listParkingRules = async (
  ctx: Context,
  listingId: number,
): Promise<ParkingRulesByVehicle> => {
  const { listing, parking } = await readParking(ctx, listingId);
  await requireReadable(ctx, listing);
  return Object.fromEntries(parking.rules.map((rule) => [rule.vehicle_type, rule]));
};
