import { isDeepStrictEqual } from 'node:util';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { remove, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { amenityIssues, chooseAmenities, viewTypeIssues } from '../catalog/index.ts';
import {
  derivedFields,
  type Listing,
  listingGuestIssues,
  listingMoneyIssues,
  type ListingResponse,
  ListingSlugEntity,
  type ListingUpdate,
  listingUpdated,
  presentListing,
  putListing,
  readViewedListing,
  refundRuleIssues,
  requireHosted,
  requireMove,
  takeGivenSlug,
} from '../listing/index.ts';
import { archivingWrites } from './archive-listing.ts';
import { currencyWrites } from './currency-writes.ts';
import { moveListing } from './move-listing.ts';
import { priceWrites } from './price-writes.ts';
import { timezoneWrites } from './timezone-writes.ts';

/** Changes what of a listing is given (D18–D21); what comes out as it was is not written. */
export const updateListing = async (ctx: Context, listingId: number, input: ListingUpdate): Promise<ListingResponse> =>
  retryOnConflict(async () => {
    const read = await readViewedListing(ctx.table, listingId);
    const listing = requireHosted(ctx.caller, read.listing, 'manage');
    const next = changedListing(ctx, listing, input);
    const changed = differences(listing, next);
    if (changed.length === 0) return presentListing(ctx.caller, listing, read.views);
    requireMove(listing.state, next.state);
    const updated = { ...next, updated_at: instantText(ctx.clock.now()) };
    return ctx.commit(
      [putListing(updated), ...(await writesBeside(ctx, listing, updated, changed))],
      presentListing(ctx.caller, updated, read.views),
    );
  });

const changedListing = (ctx: Context, listing: Listing, body: ListingUpdate): Listing => {
  const { amenities: choices, ...fields } = body;
  const merged: Listing = { ...listing, ...fields };
  const next: Listing = {
    ...merged,
    ...derivedFields(merged),
    amenities: choices
      ? chooseAmenities(choices, listing.amenities, () => newId(ctx.clock))
      : listing.amenities,
  };
  const issues = [
    ...amenityIssues(choices ?? []),
    ...viewTypeIssues(next.view_types, listing.view_types),
    ...listingMoneyIssues(next),
    ...(['guest_included_in_rate', 'maximum_guest'].some((field) => field in body)
      ? listingGuestIssues(next)
      : []),
    ...(next.refund_rule === listing.refund_rule ? [] : refundRuleIssues(next.refund_rule)),
  ];
  if (issues.length > 0) throw invalid(...issues);
  return next;
};

const differences = (one: Listing, other: Listing): (keyof Listing)[] =>
  (Object.keys(other) as (keyof Listing)[]).filter((field) => !isDeepStrictEqual(one[field], other[field]));

/** What has to change, or to hold, together with the listing. */
const writesBeside = async (
  ctx: Context,
  listing: Listing,
  next: Listing,
  changed: (keyof Listing)[],
): Promise<Write[]> => {
  if (next.state === 'ARCHIVED') {
    const moved = (['parent_listing_id', 'timezone'] as const).filter((field) => changed.includes(field));
    if (moved.length > 0)
      throw invalid(
        ...moved.map((path) => ({ path, message: 'cannot change while the listing is archived' })),
      );
    return archivingWrites(ctx, listing);
  }
  const writes = await Promise.all([
    changed.includes('currency') ? currencyWrites(ctx, listing) : [],
    changed.includes('parent_listing_id') ? moveListing(ctx, listing, next) : [],
    priceWrites(ctx, listing, next),
  ]);
  // After a move has read the months: who books meanwhile has changed one of them, or is seen now.
  const zone = changed.includes('timezone') ? await timezoneWrites(ctx, listing, next) : [];
  return [
    ...writes.flat(),
    ...zone,
    ...(changed.includes('slug') ? renamingWrites(listing, next) : []),
    listingUpdated(
      ctx,
      next,
      changed.filter((field) => field !== 'search_name'),
    ),
  ];
};

/** The new slug is taken and the old one free again, in one step with the listing (D20). */
const renamingWrites = ({ id, team_id, slug }: Listing, next: Listing): Write[] => [
  takeGivenSlug({ team_id, slug: next.slug, listing_id: id }),
  remove(ListingSlugEntity, { team_id, slug }),
];
