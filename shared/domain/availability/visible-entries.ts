import { type Caller, isHostOf } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import {
  type AvailabilityEntry,
  calendarOf,
  concerns,
  type LocalRange,
  overlappingEntries,
} from '../calendar/index.ts';
import type { Listing } from '../listing/index.ts';
import type { Availability } from './availability.schema.ts';

/**
 * The live entries that stand against a listing in a range, its parent's or children's included (D26, D27), as the caller
 * may see them: reservation and note are for hosts, and for the guest whose booking it is (D15).
 */
export const visibleEntries = async (
  ctx: Context,
  listing: Listing,
  range: LocalRange,
): Promise<Availability[]> => {
  const calendarId = calendarOf(listing);
  const now = ctx.clock.now();
  const entries = await overlappingEntries(ctx.table, calendarId, range);
  return entries
    .filter((entry) => entry.locked_until === null || entry.locked_until > now)
    .filter((entry) => concerns(entry, listing.id))
    .map((entry) => presentEntry(ctx.caller, listing, entry));
};

/** An entry as the caller may see it; one inherited from parent or child names no reservation (D27). */
export const presentEntry = (caller: Caller, listing: Listing, entry: AvailabilityEntry): Availability => {
  const isOwn = caller.kind === 'user' && entry.guest_user_id === caller.user_id;
  const shown = entry.listing_id === listing.id && (isOwn || isHostOf(caller, listing.team_id));
  return {
    id: entry.availability_id,
    listing_id: listing.id,
    reservation_id: shown ? entry.reservation_id : null,
    date: entry.start_at.slice(0, 10),
    start_at: entry.start_at,
    end_at: entry.end_at,
    state: entry.state,
    locked_until: entry.locked_until === null ? null : instantText(entry.locked_until),
    note: shown ? entry.note : null,
    created_at: entry.created_at,
  };
};
