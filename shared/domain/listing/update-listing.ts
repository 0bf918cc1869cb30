import { isDeepStrictEqual } from 'node:util';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import {
  absent,
  conditionCheck,
  equals,
  remove,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import { isSameTimeZone } from '../../platform/time/time.ts';
import { changeTimeZone } from '../calendar/index.ts';
import { PricePartsEntity } from '../pricing/model.ts';
import { archivingWrites } from './archive-listing.ts';
import { termsIssues } from './cancellation-terms.rules.ts';
import { amenityIssues, chooseAmenities, viewTypeIssues } from './catalog.rules.ts';
import { bookableWindow, futureEntries, openStays } from './future-entries.ts';
import type { ListingUpdate } from './listing-input.schema.ts';
import { readViewedListing } from './listing-views.store.ts';
import { presentListing } from './present-listing.rules.ts';
import { derivedFields, listingGuestIssues, listingMoneyIssues, requireMove } from './listing.rules.ts';
import type { ListingResponse } from './listing.schema.ts';
import { fieldChanges, recordChanges } from './listing-change.store.ts';
import type { Listing } from './listing.entity.ts';
import { ListingSlugEntity, listingUpdated, putListing, requireHosted } from './listing.store.ts';
import { moveListing } from './move-listing.ts';
import { openedListing, sealedListing } from './sealed-access.store.ts';
import { takeGivenSlug } from './slug.store.ts';
import { priceWrites } from './weekly-prices.ts';

/**
 * Returns the condition for a change of currency: the listing has no combo, extra service or pricing rule, whose amounts
 * would change their meaning. Bookings and held quotes carry their own currency.
 */
const currencyWrites = async ({ table }: Context, { id }: Listing): Promise<Write[]> => {
  const parts = await table.get(PricePartsEntity, { listing_id: id });
  if (parts && [parts.combos, parts.services, parts.rules].some(({ length }) => length > 0))
    throw invalid({
      path: 'currency',
      message: 'cannot change while the listing has combos, extra services or pricing rules',
    });
  return [
    conditionCheck(
      PricePartsEntity,
      { listing_id: id },
      {
        when: parts ? equals('version', parts.version) : absent(),
      },
    ),
  ];
};

/**
 * Returns the writes and checks for a change of time zone. Throws VALIDATION_ERROR within a family, which has one zone,
 * and INVALID_STATE_TRANSITION while stays, blocks or live soft locks are ahead, whose local hours would become other
 * instants. A concurrent booking under the old zone conflicts by the months, which a listing that also moves has written
 * already.
 */
const timezoneWrites = async (ctx: Context, listing: Listing, next: Listing): Promise<Write[]> => {
  if (isSameTimeZone(listing.timezone, next.timezone)) return [];
  const moves = listing.parent_listing_id !== next.parent_listing_id;
  if (next.child_listing_ids.length > 0 || (!moves && next.parent_listing_id !== null))
    throw invalid({
      path: 'timezone',
      message: `cannot change within a family: parent and children share ${listing.timezone}`,
    });
  const window = { ...bookableWindow(ctx, listing), timezone: next.timezone };
  const writes = moves ? [] : await changeTimeZone(ctx.table, window, ctx.clock.now());
  // After the months: a concurrent booking has changed a month since, or is among the entries.
  await requireNothingAhead(ctx, listing);
  return writes;
};

const requireNothingAhead = async (ctx: Context, listing: Listing): Promise<void> => {
  const entries = await futureEntries(ctx, listing);
  const stays = await openStays(ctx, entries);
  const now = ctx.clock.now();
  const others = entries.filter(
    ({ state, locked_until }) => state !== 'BOOKED' && (locked_until === null || locked_until > now),
  );
  if (stays.length + others.length === 0) return;
  throw new ServiceError(
    'INVALID_STATE_TRANSITION',
    'The time zone cannot change while stays, blocks or soft locks lie ahead: their local hours would become other instants.',
    {
      booking_ids: stays.map(({ reservation_id }) => reservation_id),
      availability_ids: [...stays, ...others].map(({ availability_id }) => availability_id),
    },
  );
};

/** Updates the given fields of a listing (D18–D21); nothing is written if no field changes. */
export const updateListing = async (
  ctx: Context,
  listingId: number,
  input: ListingUpdate,
): Promise<ListingResponse> =>
  retryOnConflict(async () => {
    const read = await readViewedListing(ctx.table, listingId);
    const stored = requireHosted(ctx.caller, read.listing, 'manage');
    const listing = await openedListing(ctx, stored);
    const next = changedListing(ctx, listing, input);
    const changed = differences(listing, next);
    if (changed.length === 0) return presentListing(ctx.caller, listing, read.views);
    requireMove(listing.state, next.state);
    const updated = { ...next, updated_at: instantText(ctx.clock.now()) };
    const sealed = await sealedListing(ctx, updated, { read: stored, opened: listing });
    return ctx.commit(
      [putListing(sealed), ...(await writesBeside(ctx, listing, updated, changed))],
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
    ...termsIssues(next, listing),
  ];
  if (issues.length > 0) throw invalid(...issues);
  return next;
};

const differences = (one: Listing, other: Listing): (keyof Listing)[] =>
  (Object.keys(other) as (keyof Listing)[]).filter((field) => !isDeepStrictEqual(one[field], other[field]));

/** Returns the writes and conditions that accompany the update of a listing. */
const writesBeside = async (
  ctx: Context,
  listing: Listing,
  next: Listing,
  changed: (keyof Listing)[],
): Promise<Write[]> => {
  const shown = changed.filter((field) => field !== 'search_name').sort();
  if (next.state === 'ARCHIVED') {
    const moved = (['parent_listing_id', 'timezone'] as const).filter((field) => changed.includes(field));
    if (moved.length > 0)
      throw invalid(
        ...moved.map((path) => ({ path, message: 'cannot change while the listing is archived' })),
      );
    return [
      ...(await archivingWrites(ctx, listing)),
      ...recordChanges(ctx, listing.id, fieldChanges(listing, next, shown)),
    ];
  }
  const writes = await Promise.all([
    changed.includes('currency') ? currencyWrites(ctx, listing) : [],
    changed.includes('parent_listing_id') ? moveListing(ctx, listing, next) : [],
    priceWrites(ctx, listing, next),
  ]);
  // After the move has read the months: a concurrent booking has changed a month since, or is among the entries read now.
  const zone = changed.includes('timezone') ? await timezoneWrites(ctx, listing, next) : [];
  return [
    ...writes.flat(),
    ...zone,
    ...(changed.includes('slug') ? renamingWrites(listing, next) : []),
    ...listingUpdated(ctx, next, shown, fieldChanges(listing, next, shown)),
  ];
};

/** Returns the writes that take the new slug and release the old one (D20). */
const renamingWrites = ({ id, team_id, slug }: Listing, next: Listing): Write[] => [
  takeGivenSlug({ team_id, slug: next.slug, listing_id: id }),
  remove(ListingSlugEntity, { team_id, slug }),
];
