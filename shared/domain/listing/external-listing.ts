import type { PartnerCaller, PublishableCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { readOf } from '../../platform/table/index.ts';
import { presentStayRules, pricingReads } from '../pricing/model.ts';
import { termsOfListing } from './cancellation-terms.rules.ts';
import { presentAmenities } from './catalog.rules.ts';
import type { ExternalListing } from './external-listing.schema.ts';
import type { Listing } from './listing.entity.ts';
import { requireAccessible, requireOfPage } from './listing-access.ts';
import { viewsRead } from './listing-views.store.ts';
import { ParkingRulesEntity, presentParking } from './parking.store.ts';
import { PoliciesEntity, presentPolicies } from './policies.store.ts';
import { presentListing } from './present-listing.rules.ts';
import { roughlyPlaced } from './rough-place.rules.ts';
import type { StayListing } from './stay-listing.schema.ts';

/**
 * Returns a listing of the key's teams with everything that a page about it shows, in one round trip (D92). Throws
 * EXTERNAL_LISTING_NOT_ACCESSIBLE for an archived one and for those of other teams (D9). Inactive price parts are left out.
 */
export const getExternalListing = (
  ctx: Context<PartnerCaller>,
  listingId: number,
): Promise<ExternalListing> => readWhole(ctx, listingId, (found) => requireAccessible(ctx.caller, found));

/** Returns an open listing of the page's team, the same way (D144). Throws LISTING_NOT_FOUND for every other. */
export const getStayListing = async (
  ctx: Context<PublishableCaller>,
  listingId: number,
): Promise<StayListing> =>
  roughlyPlaced(await readWhole(ctx, listingId, (found) => requireOfPage(ctx.caller, found)));

const readWhole = async (
  { table, caller }: Context,
  listingId: number,
  find: (listing: Listing | undefined) => Listing,
): Promise<ExternalListing> => {
  const ids = { listing_id: listingId };
  const [found, parts, counted, policies, parking] = await table.getAll([
    ...pricingReads(listingId),
    viewsRead(listingId),
    readOf(PoliciesEntity, ids),
    readOf(ParkingRulesEntity, ids),
  ]);
  const listing = find(found);
  const active = <Part extends { is_active: boolean }>(all: readonly Part[] | undefined): Part[] =>
    (all ?? []).filter(({ is_active }) => is_active);
  return {
    ...presentListing(caller, listing, counted?.views ?? 0),
    amenity_categories: presentAmenities(listing.amenities).categories,
    policies: presentPolicies(listing, policies),
    parking_rules: presentParking(parking?.rules ?? []),
    extra_services: active(parts?.services),
    combo_prices: active(parts?.combos),
    pricing_rules: active(parts?.rules),
    stay_rules: presentStayRules(listing.id, parts?.stay_rules),
    cancellation_terms: termsOfListing(listing),
  };
};
