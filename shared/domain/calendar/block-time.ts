import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { ConflictError, create, equals, remove, retryOnConflict } from '../../platform/table/index.ts';
import { nightsBetween } from '../../platform/time/time.ts';
import { hostedListing, type Listing } from '../listing/model.ts';
import type { Availability, BlockRequest } from './availability.schema.ts';
import { CalendarDraft } from './calendar-draft.store.ts';
import { dateTime } from './blocked-dates.rules.ts';
import { maxBlockNights, newBlock, timeChanged, unchangedListing } from './block.store.ts';
import { AvailabilityEntryEntity, overlappingEntries } from './calendar.store.ts';
import { calendarOf, type LocalRange } from './listing-time.rules.ts';
import { notAvailable } from './taken-time.rules.ts';
import { presentEntry, requireWithinCalendar, wholeCalendar } from './read-calendar.ts';

/** Blocks a date, which is its night, or an interval (D30, D116); LISTING_NOT_AVAILABLE over a booking, a live soft lock or another block. */
export const blockTime = (ctx: Context, listingId: number, request: BlockRequest): Promise<Availability> =>
  retryOnConflict(async () => {
    const listing = await hostedListing(ctx, listingId, 'operate');
    const entry = newBlock(ctx, listing, { ...blockedRange(listing, request), note: request.note ?? null });
    const draft = await CalendarDraft.load(ctx.table, [entry], ctx.clock.now());
    draft.requireCurrentCalendar(entry);
    const taken = draft.taken(entry);
    if (taken.length > 0) throw notAvailable(taken);
    draft.take(entry);
    const writes = [
      ...draft.writes(),
      create(AvailabilityEntryEntity, entry),
      unchangedListing(listing),
      timeChanged(ctx, listing, entry),
    ];
    return ctx.commit(writes, presentEntry(ctx.caller, listing, entry));
  });

/** Removes a block and frees its hours (D30). Throws NOT_FOUND for an id that is not a block of the listing. */
export const unblockTime = (
  ctx: Context,
  listingId: number,
  availabilityId: number,
): Promise<{ message: string; availability_id: number }> =>
  retryOnConflict(async () => {
    const listing = await hostedListing(ctx, listingId, 'operate');
    const entries = await overlappingEntries(ctx.table, calendarOf(listing), wholeCalendar);
    const entry = entries.find(
      (found) => found.availability_id === availabilityId && found.listing_id === listing.id,
    );
    if (entry?.state !== 'BLOCKED') throw await missingBlock(ctx, listing);
    const draft = await CalendarDraft.load(ctx.table, [entry], ctx.clock.now());
    draft.free(entry);
    const writes = [
      remove(AvailabilityEntryEntity, entry, { when: equals('state', 'BLOCKED') }),
      ...draft.writes(),
      timeChanged(ctx, listing, entry),
    ];
    return ctx.commit(writes, { message: 'Block removed', availability_id: availabilityId });
  });

/** A block that is not found may have moved with the listing to another calendar. */
const missingBlock = async (ctx: Context, before: Listing): Promise<Error> => {
  const listing = await hostedListing(ctx, before.id, 'operate');
  return calendarOf(listing) === calendarOf(before)
    ? new ServiceError('NOT_FOUND', 'There is no such block.')
    : new ConflictError('Listing');
};

/** Returns the interval of a block; VALIDATION_ERROR if it is missing or ends before it starts (D30). */
const blockedRange = (listing: Listing, request: BlockRequest): LocalRange => {
  const date = request.block_date ?? request.date;
  const { start_at, end_at } = request;
  if (request.date !== undefined && request.date !== date)
    throw invalid({ path: 'date', message: 'is another name of block_date and must not differ from it' });
  requireWithinCalendar({ block_date: request.block_date, date: request.date, start_at, end_at });
  if (start_at !== undefined && end_at !== undefined) {
    if (date !== undefined && date !== start_at.slice(0, 10))
      throw invalid({
        path: request.block_date === undefined ? 'date' : 'block_date',
        message: 'is not the date of start_at',
      });
    if (end_at <= start_at) throw invalid({ path: 'end_at', message: 'must be after start_at' });
    if (nightsBetween(start_at.slice(0, 10), end_at.slice(0, 10)) > maxBlockNights) {
      throw invalid({ path: 'end_at', message: `a block has at most ${maxBlockNights} nights` });
    }
    return { start_at, end_at };
  }
  if (start_at !== undefined) throw invalid({ path: 'end_at', message: 'is required with start_at' });
  if (end_at !== undefined) throw invalid({ path: 'start_at', message: 'is required with end_at' });
  if (date === undefined)
    throw invalid({ path: 'block_date', message: 'is required, or start_at and end_at' });
  return dateTime(date, listing);
};
