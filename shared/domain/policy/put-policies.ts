import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { put, retryOnConflict } from '../../platform/table/index.ts';
import {
  type Listing,
  listingUpdated,
  putListing,
  refundRuleIssues,
  requireHosted,
} from '../listing/index.ts';
import { type HouseRules, HouseRulesEntity } from './policies.entity.ts';
import type { Policies, PutPolicies } from './policies.schema.ts';
import { policiesOf, readHouseRules } from './policies.store.ts';

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
