import type { Context } from '../../platform/context.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import type { ParkingRule, UpdateParkingRule } from './parking-rule.schema.ts';
import { checkParkingRule, hostedParking, putParking, ruleNotFound } from './parking-rules.store.ts';

interface Input {
  params: { listing_id: number; rule_id: number };
  body: UpdateParkingRule;
}

/** Changes what of a parking rule is given and answers the whole record (D19). */
export const updateParkingRule = (ctx: Context, { params, body }: Input): Promise<ParkingRule> =>
  retryOnConflict(async () => {
    const { listing, parking } = await hostedParking(ctx, params.listing_id);
    const before = parking.rules.find(({ id }) => id === params.rule_id);
    if (!before) throw ruleNotFound();
    // What was paid before is free now, whatever it cost.
    const free = body.is_free === true && body.price === undefined ? { price: 0 } : {};
    const rule: ParkingRule = { ...before, ...body, ...free };
    checkParkingRule(rule, parking.rules);
    const rules = parking.rules.map((one) => (one.id === rule.id ? rule : one));
    return ctx.commit(putParking(ctx, listing, { ...parking, rules }), rule);
  });
