import type { Context } from '../../platform/context.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { hostedParking, putParking, ruleNotFound } from './parking-rules.store.ts';

interface Input {
  params: { listing_id: number; rule_id: number };
}

/** Deletes a parking rule. */
export const deleteParkingRule = (
  ctx: Context,
  { params }: Input,
): Promise<{ message: string; id: number }> =>
  retryOnConflict(async () => {
    const { listing, parking } = await hostedParking(ctx, params.listing_id);
    const rules = parking.rules.filter(({ id }) => id !== params.rule_id);
    if (rules.length === parking.rules.length) throw ruleNotFound();
    return ctx.commit(putParking(ctx, listing, { ...parking, rules }), {
      message: 'The parking rule is removed.',
      id: params.rule_id,
    });
  });
