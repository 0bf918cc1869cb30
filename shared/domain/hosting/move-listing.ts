import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { addDays, toLocal } from '../../platform/time.ts';
import type { Write } from '../../platform/table/index.ts';
import {
  CalendarDraft,
  CalendarMonthEntity,
  calendarOf,
  monthsBetween,
  notAvailable,
} from '../calendar/index.ts';
import { type Listing, readListing, requireParent, withChild, withoutChild } from '../listing/index.ts';
import { bookableWindow, overtake } from './calendar-window.ts';

/**
 * The writes that bring a listing from one parent to another, or to none (D21). The calendar of a child lives with its
 * parent's, so the listing's own must be empty from now on (D26): LISTING_NOT_AVAILABLE says what stands against it.
 */
export const moveListing = async (
  ctx: Context,
  listing: Listing,
  parentId: number | null,
): Promise<Write[]> => {
  const [from, to, calendar] = await Promise.all([
    listing.parent_listing_id === null ? undefined : readListing(ctx.table, listing.parent_listing_id),
    parentId === null ? undefined : readListing(ctx.table, parentId),
    leaveCalendar(ctx, listing),
  ]);
  if (parentId !== null && listing.child_listing_ids.length > 0)
    throw invalid({ path: 'parent_listing_id', message: 'cannot be set on a listing that has children' });
  return [
    ...(from ? [withoutChild(from, listing.id)] : []),
    ...(parentId === null ? [] : [withChild(parentOf(listing, to), listing.id)]),
    ...calendar,
  ];
};

const parentOf = (listing: Listing, parent: Listing | undefined): Listing => {
  if (parent?.id === listing.id)
    throw invalid({ path: 'parent_listing_id', message: 'must be another listing' });
  return requireParent(parent, listing.team_id);
};

/** Refused while anything is taken from now on; the months are rewritten, so that a booking in flight reads the listing again. */
const leaveCalendar = async (ctx: Context, listing: Listing): Promise<Write[]> => {
  const window = bookableWindow(ctx, listing);
  const { draft, lastMonth } = await wholeCalendar(ctx, listing, window.end_at.slice(0, 7));
  const now = toLocal(ctx.clock.now(), listing.timezone);
  const afterwards = `${addDays(`${lastMonth}-28`, 4).slice(0, 7)}-01T00:00:00`;
  const taken = draft.taken({ ...window, start_at: now, end_at: afterwards });
  if (taken.length > 0) throw notAvailable(taken);
  overtake(draft, window);
  return draft.writes();
};

/** Every month of the listing's calendar from now on, however far ahead, and those up to `until` that do not exist yet. */
const wholeCalendar = async (ctx: Context, listing: Listing, until: string) => {
  const calendar_id = calendarOf(listing);
  const first = bookableWindow(ctx, listing).start_at.slice(0, 7);
  const { pk, sk } = CalendarMonthEntity.key({ calendar_id, month: first });
  const end = CalendarMonthEntity.key({ calendar_id, month: '9999-12' });
  const { items } = await ctx.table.queryAll({ pk, from: sk, to: end.sk });
  const found = new Map(items.map((month) => [String(month['month']), month]));
  const lastMonth = [until, ...found.keys()].reduce((last, month) => (month > last ? month : last));
  const months = monthsBetween(first, lastMonth);
  const draft = new CalendarDraft(ctx.clock.now());
  draft.add(
    months.map((month) => ({ calendar_id, month })),
    months.map((month) => found.get(month)),
  );
  return { draft, lastMonth };
};
