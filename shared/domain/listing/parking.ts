import type { Context } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { requireReadable } from './listing-access.ts';
import type {
  CreateParkingRule,
  ParkingRule,
  ParkingRulesByVehicle,
  UpdateParkingRule,
} from './parking.schema.ts';
import {
  checkParkingRule,
  presentParking,
  readHostedParking,
  putParking,
  readParking,
  ruleNotFound,
} from './parking.store.ts';

/** Returns the parking rules of a listing by vehicle type. */
export const listParkingRules = async (ctx: Context, listingId: number): Promise<ParkingRulesByVehicle> => {
  const { listing, parking } = await readParking(ctx, listingId);
  await requireReadable(ctx, listing);
  return presentParking(parking.rules);
};

/** Adds a parking rule for a vehicle type that has none. */
export const createParkingRule = (
  ctx: Context,
  listingId: number,
  input: CreateParkingRule,
): Promise<ParkingRule> =>
  retryOnConflict(async () => {
    const { listing, parking } = await readHostedParking(ctx, listingId);
    const rule: ParkingRule = {
      ...input,
      currency: input.currency ?? listing.currency,
      id: newId(ctx.clock),
      listing_id: listing.id,
    };
    checkParkingRule(rule, parking.rules);
    return ctx.commit(putParking(ctx, { listing, parking }, [...parking.rules, rule]), rule);
  });

/** Updates the given fields of a parking rule and returns the whole record (D19). */
export const updateParkingRule = (
  ctx: Context,
  listingId: number,
  ruleId: number,
  input: UpdateParkingRule,
): Promise<ParkingRule> =>
  retryOnConflict(async () => {
    const { listing, parking } = await readHostedParking(ctx, listingId);
    const before = parking.rules.find(({ id }) => id === ruleId);
    if (!before) throw ruleNotFound();
    // `is_free: true` without a price sets the price to 0.
    const free = input.is_free === true && input.price === undefined ? { price: 0 } : {};
    const rule: ParkingRule = { ...before, ...input, ...free };
    checkParkingRule(rule, parking.rules);
    const rules = parking.rules.map((one) => (one.id === rule.id ? rule : one));
    return ctx.commit(putParking(ctx, { listing, parking }, rules), rule);
  });

/** Deletes a parking rule. */
export const deleteParkingRule = (
  ctx: Context,
  listingId: number,
  ruleId: number,
): Promise<{ message: string; id: number }> =>
  retryOnConflict(async () => {
    const { listing, parking } = await readHostedParking(ctx, listingId);
    const rules = parking.rules.filter(({ id }) => id !== ruleId);
    if (rules.length === parking.rules.length) throw ruleNotFound();
    return ctx.commit(putParking(ctx, { listing, parking }, rules), {
      message: 'The parking rule is removed.',
      id: ruleId,
    });
  });
