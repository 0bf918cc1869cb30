import type { Context } from '../../platform/context.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { hostedParking, putParking, ruleNotFound } from './parking-rules.store.ts';

/** Deletes a parking rule. */
export const deleteParkingRule = (
  ctx: Context,
  listingId: number, ruleId: number,
): Promise<{ message: string; id: number }> =>
  retryOnConflict(async () => {
    const { listing, parking } = await hostedParking(ctx, listingId);
    const rules = parking.rules.filter(({ id }) => id !== ruleId);
    if (rules.length === parking.rules.length) throw ruleNotFound();
    return ctx.commit(putParking(ctx, listing, { ...parking, rules }), {
      message: 'The parking rule is removed.',
      id: ruleId,
    });
  });
