import { callerRef } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { conditionCheck, equals, type Write } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { type Listing, ListingEntity, listingPartition } from '../listing/model.ts';
import type { AvailabilityEntry } from './calendar.store.ts';
import { calendarOf, type LocalRange } from './listing-time.rules.ts';

/** The most nights of one block. */
export const maxBlockNights = 365;

/** Returns a block that a host makes. */
export const newBlock = (
  ctx: Pick<Context, 'clock'>,
  listing: Listing,
  { start_at, end_at, note }: LocalRange & { note: string | null },
): AvailabilityEntry => ({
  calendar_id: calendarOf(listing),
  listing_id: listing.id,
  availability_id: newId(ctx.clock),
  ...{ start_at, end_at, note },
  state: 'BLOCKED',
  reservation_id: null,
  order_id: null,
  locked_until: null,
  created_at: instantText(ctx.clock.now()),
});

/**
 * A block may be further ahead than any booking, in months that are not closed when a listing leaves its calendar; so the
 * listing itself must be unchanged.
 */
export const unchangedListing = ({ id, version }: Listing): Write =>
  conditionCheck(ListingEntity, { id }, { when: equals('version', version) });

/** Returns the write of the event that time of a listing was blocked or freed. */
export const timeChanged = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  { id, team_id }: Listing,
  { start_at, end_at }: LocalRange,
): Write =>
  recordEvent(ctx, {
    subject: listingPartition(id),
    event_type: 'availability.changed',
    team_id,
    data: { id, start_at, end_at, by: callerRef(ctx.caller) },
  });
