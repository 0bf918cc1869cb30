import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { put, retryOnConflict } from '../../platform/table/index.ts';
import { requireReadable } from './listing-access.ts';
import { type Listing, listingUpdated, putListing, requireHosted } from './listing.store.ts';
import type { Policies, PutPolicies } from './policies.schema.ts';
import { type HouseRules, HouseRulesEntity, policiesOf, readHouseRules } from './policies.store.ts';
import { refundRuleIssues } from './refund-terms.rules.ts';

/** The policies of a listing; every listing has them, with nothing allowed until its host says so. */
export const getPolicies = async (ctx: Context, listingId: number): Promise<Policies> => {
  const { listing, rules } = await readHouseRules(ctx, listingId);
  return policiesOf(await requireReadable(ctx, listing), rules);
};

/** Creates or replaces the policies of a listing (D22); the refund rule is the listing's own and changes with it. */
export const putPolicies = (ctx: Context, listingId: number, input: PutPolicies): Promise<Policies> =>
  retryOnConflict(async () => {
    const { listing: found, rules } = await readHouseRules(ctx, listingId);
    const listing = requireHosted(ctx.caller, found, 'manage');
    const { refund_rule = listing.refund_rule, ...said } = input;
    const issues = refund_rule === listing.refund_rule ? [] : refundRuleIssues(refund_rule);
    if (issues.length > 0) throw invalid(...issues);
    const now = instantText(ctx.clock.now());
    const next: Listing = { ...listing, refund_rule, updated_at: now };
    const house: HouseRules = { ...said, listing_id: listing.id, created_at: rules?.created_at ?? now };
    return ctx.commit(
      [putListing(next), put(HouseRulesEntity, house), listingUpdated(ctx, next, ['policies'])],
      policiesOf(next, house),
    );
  });
