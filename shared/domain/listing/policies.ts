import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { put, retryOnConflict } from '../../platform/table/index.ts';
import { termsIssues } from './cancellation-terms.rules.ts';
import { requireReadable } from './listing-access.ts';
import { type FieldChange, fieldChanges } from './listing-change.store.ts';
import type { Listing } from './listing.entity.ts';
import { listingUpdated, putListing, requireHosted } from './listing.store.ts';
import type { Policies, PutPolicies } from './policies.schema.ts';
import { type PoliciesRecord, PoliciesEntity, presentPolicies, readPolicies } from './policies.store.ts';

/** Returns the policies of a listing; before the host sets them, nothing is allowed. */
export const getPolicies = async (ctx: Context, listingId: number): Promise<Policies> => {
  const { listing, stored } = await readPolicies(ctx, listingId);
  return presentPolicies(await requireReadable(ctx, listing), stored);
};

/** Creates or replaces the policies of a listing (D22); `refund_rule` is a field of the listing and is written there. */
export const putPolicies = (ctx: Context, listingId: number, input: PutPolicies): Promise<Policies> =>
  retryOnConflict(async () => {
    const { listing: found, stored } = await readPolicies(ctx, listingId);
    const listing = requireHosted(ctx.caller, found, 'manage');
    const { refund_rule = listing.refund_rule, ...fields } = input;
    const issues = termsIssues({ ...listing, refund_rule }, listing);
    if (issues.length > 0) throw invalid(...issues);
    const now = instantText(ctx.clock.now());
    const next: Listing = { ...listing, refund_rule, updated_at: now };
    const record: PoliciesRecord = {
      ...fields,
      listing_id: listing.id,
      created_at: stored?.created_at ?? now,
    };
    return ctx.commit(
      [
        putListing(next),
        put(PoliciesEntity, record),
        ...listingUpdated(ctx, next, ['policies'], policyChanges({ listing, stored }, { next, record })),
      ],
      presentPolicies(next, record),
    );
  });

const policyChanges = (
  { listing, stored }: { listing: Listing; stored: PoliciesRecord | undefined },
  { next, record }: { next: Listing; record: PoliciesRecord },
): FieldChange[] =>
  fieldChanges({ policies: presentPolicies(listing, stored) }, { policies: presentPolicies(next, record) }, [
    'policies',
  ]);
