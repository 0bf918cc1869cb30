import { actingTeam } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { create, retryOnConflict } from '../../platform/table/index.ts';
import { defaultTimeZone } from '../../platform/time/time.ts';
import { recordEvent } from '../../record-event.ts';
import { TeamEntity } from '../people/model.ts';
import { createPriceParts } from '../pricing/model.ts';
import { termsIssues } from './cancellation-terms.rules.ts';
import { amenityIssues, chooseAmenities, viewTypeIssues } from './catalog.rules.ts';
import type { ListingCreate } from './listing-input.schema.ts';
import { presentListing } from './present-listing.rules.ts';
import {
  derivedFields,
  hasOwnPrice,
  includedGuests,
  listingGuestIssues,
  listingMoneyIssues,
  priceMissing,
} from './listing.rules.ts';
import type { ListingResponse } from './listing.schema.ts';
import { type Listing, ListingEntity } from './listing.entity.ts';
import {
  listingPartition,
  readListing,
  requireParent,
  requireParentZone,
  addChildWrite,
} from './listing.store.ts';
import { sealedListing } from './sealed-access.store.ts';
import { chooseSlug, takeGivenSlug, takeMadeSlug } from './slug.store.ts';
import { withTeamDefaults } from './team-defaults.rules.ts';

/** Creates a listing of the acting team (D14, D18–D21), whose defaults it gets (D124). */
export const createListing = async (ctx: Context, input: ListingCreate): Promise<ListingResponse> =>
  storeListing(ctx, { ...input, team_id: actingTeam(ctx.caller, ctx.teamHeader, 'manage') });

/** Creates a listing of a team that no search and no list of guests has. */
export const createUnlistedListing = (
  ctx: Context,
  teamId: number,
  input: ListingCreate,
): Promise<ListingResponse> => storeListing(ctx, { ...input, team_id: teamId, unlisted: true });

type OfTeam = ListingCreate & Pick<Listing, 'team_id' | 'unlisted'>;

const storeListing = (ctx: Context, input: OfTeam): Promise<ListingResponse> => {
  const { team_id: teamId } = input;
  return retryOnConflict(async () => {
    const parentId = input.parent_listing_id;
    const [slug, found, team] = await Promise.all([
      chooseSlug(ctx.table, teamId, input),
      parentId === null ? undefined : readListing(ctx.table, parentId),
      ctx.table.get(TeamEntity, { team_id: teamId }),
    ]);
    const parent = parentId === null ? undefined : requireParent(found, teamId);
    const timezone = input.timezone ?? parent?.timezone ?? team?.default_timezone ?? defaultTimeZone;
    if (parent) requireParentZone(parent, timezone, 'timezone');
    const listing = newListing(ctx, { ...withTeamDefaults(input, team), slug, timezone });
    const taken = { team_id: teamId, slug, listing_id: listing.id };
    return ctx.commit(
      [
        create(ListingEntity, await sealedListing(ctx, listing)),
        createPriceParts(listing),
        input.slug === undefined ? takeMadeSlug(taken) : takeGivenSlug(taken),
        ...(parent ? [addChildWrite(parent, listing.id)] : []),
        recordEvent(ctx, {
          subject: listingPartition(listing.id),
          event_type: 'listing.created',
          team_id: teamId,
          data: { id: listing.id, state: listing.state },
        }),
      ],
      presentListing(ctx.caller, listing, 0),
    );
  });
};

const newListing = (
  { clock }: Pick<Context, 'clock'>,
  input: ReturnType<typeof withTeamDefaults<OfTeam>> & { slug: string; timezone: string },
): Listing => {
  const now = instantText(clock.now());
  const standardCapacity = input.standard_capacity ?? input.capacity;
  const listing: Listing = {
    ...input,
    ...derivedFields(input),
    id: newId(clock),
    standard_capacity: standardCapacity,
    guest_included_in_rate: input.guest_included_in_rate ?? includedGuests(standardCapacity, input),
    amenities: chooseAmenities(input.amenities, [], () => newId(clock)),
    child_listing_ids: [],
    images: [],
    rating_average: null,
    review_count: 0,
    created_at: now,
    updated_at: now,
    version: 1,
  };
  const issues = [
    ...amenityIssues(input.amenities),
    ...viewTypeIssues(input.view_types),
    ...listingMoneyIssues(listing),
    ...termsIssues(input),
    ...listingGuestIssues(listing),
  ];
  if (issues.length > 0) throw invalid(...issues);
  if (listing.state === 'ACTIVE' && !hasOwnPrice(listing)) throw priceMissing();
  return listing;
};
