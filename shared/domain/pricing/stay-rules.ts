import type { Context } from '../../platform/context.ts';
import { invalid, type Issue } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { requireVisible } from '../listing/model.ts';
import type { PriceParts } from './price-parts.entity.ts';
import { putPriceParts, readHostedPricing, readPricing } from './price-parts.store.ts';
import { requireRoom } from './price-parts.ts';
import { presentStayRules } from './stay-rules.rules.ts';
import type { ListedStayRules, PutStayRules, StayRules } from './stay-rules.schema.ts';

/** Returns which stays a listing takes (D78). */
export const readStayRules = async (ctx: Context, listingId: number): Promise<StayRules> => {
  const { listing, parts } = await readPricing(ctx, listingId);
  requireVisible(ctx.caller, listing);
  return presentStayRules(listingId, parts.stay_rules);
};

/** Throws VALIDATION_ERROR for ids that are not of rules of the listing, or are given twice. */
const requireKnownIds = (rules: PutStayRules['date_rules'], before: ListedStayRules | undefined): void => {
  const known = new Set(before?.date_rules.map(({ id }) => id));
  const issues = rules.flatMap(({ id }, at): Issue[] =>
    id === undefined || known.delete(id)
      ? []
      : [
          {
            path: `date_rules[${at}].id`,
            message: 'must be the id of a rule of the listing, once; leave it out for a new rule',
          },
        ],
  );
  if (issues.length > 0) throw invalid(...issues);
};

/** Replaces the stay rules of a listing. They bind what is booked from now on, not holds and bookings (D78). */
export const putStayRules = (ctx: Context, listingId: number, input: PutStayRules): Promise<StayRules> =>
  retryOnConflict(async () => {
    const { listing, parts } = await readHostedPricing(ctx, listingId);
    requireKnownIds(input.date_rules, parts.stay_rules);
    const identified = input.date_rules.map(({ id = newId(ctx.clock), ...rule }) => ({ id, ...rule }));
    const next: PriceParts = { ...parts, stay_rules: { ...input, date_rules: identified } };
    requireRoom(next);
    return ctx.commit(
      putPriceParts(ctx, { listing, parts }, next, 'stay_rules'),
      presentStayRules(listing.id, next.stay_rules),
    );
  });
