import type { Context } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import type { CreateParkingRule, ParkingRule } from './parking-rule.schema.ts';
import { checkParkingRule, hostedParking, putParking } from './parking-rules.store.ts';

/** Adds a parking rule for a vehicle type that has none. */
export const createParkingRule = (ctx: Context, listingId: number, input: CreateParkingRule): Promise<ParkingRule> =>
  retryOnConflict(async () => {
    const { listing, parking } = await hostedParking(ctx, listingId);
    const rule: ParkingRule = {
      ...input,
      currency: input.currency ?? listing.currency,
      id: newId(ctx.clock),
      listing_id: listing.id,
    };
    checkParkingRule(rule, parking.rules);
    return ctx.commit(putParking(ctx, listing, { ...parking, rules: [...parking.rules, rule] }), rule);
  });
