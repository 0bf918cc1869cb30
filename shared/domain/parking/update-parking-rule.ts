import type { Context } from '../../platform/context.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import type { ParkingRule, UpdateParkingRule } from './parking-rule.schema.ts';
import { checkParkingRule, hostedParking, putParking, ruleNotFound } from './parking-rules.store.ts';

/** Changes what of a parking rule is given and answers the whole record (D19). */
export const updateParkingRule = (ctx: Context, listingId: number, ruleId: number, input: UpdateParkingRule): Promise<ParkingRule> =>
  retryOnConflict(async () => {
    const { listing, parking } = await hostedParking(ctx, listingId);
    const before = parking.rules.find(({ id }) => id === ruleId);
    if (!before) throw ruleNotFound();
    // What was paid before is free now, whatever it cost.
    const free = input.is_free === true && input.price === undefined ? { price: 0 } : {};
    const rule: ParkingRule = { ...before, ...input, ...free };
    checkParkingRule(rule, parking.rules);
    const rules = parking.rules.map((one) => (one.id === rule.id ? rule : one));
    return ctx.commit(putParking(ctx, listing, { ...parking, rules }), rule);
  });
