import type { EventOf } from '../../events.ts';
import { instantText } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import {
  ConflictError,
  maxWrites,
  put,
  readOf,
  retryOnConflict,
  type Table,
  type Write,
} from '../../platform/table/index.ts';
import { addDays, atTime, today } from '../../platform/time.ts';
import type { Subscribed } from '../../subscriptions.ts';
import { calendarOf, committedHours, hourNumber } from '../calendar/model.ts';
import { type Listing, listingRead, readListing } from '../listing/model.ts';
import { pricePartsRead } from '../pricing/model.ts';
import { cellOf } from './grid.ts';
import { IndexDraft, type Indexed } from './index-draft.ts';
import { provinceOf } from './place-text.ts';
import { searchDocument } from './search-document.ts';
import { SearchEntryEntity, type SearchTerm, SearchTermEntity } from './search.entity.ts';

type Deps = Pick<Dependencies, 'table' | 'clock'>;

/** Updates the search index after an event (D60). Idempotent, in any order. */
export const indexListing = async (deps: Deps, event: EventOf<Subscribed<'search-index'>>): Promise<void> => {
  const listingId = listingOf(event);
  if (listingId === undefined) throw new Error(`event ${event.id} has no listing`);
  await indexFamily(deps, listingId, new Set());
};

/** Events of bookings and reviews have the listing in a field of its own. */
const listingOf = (event: EventOf<Subscribed<'search-index'>>): number | undefined => {
  switch (event.event_type) {
    case 'booking.created':
    case 'booking.cancelled':
    case 'review.created':
      return event.data.listing_id;
    default:
      return event.data.id;
  }
};

/** Members for one transaction: each may write its entry, its old chunk, its new one and the first of its cell. */
const membersAtOnce = 20;

/**
 * Writes the documents of a listing, its parent and its siblings, which share their hours (D26). Families in `before` are
 * skipped: they are being indexed already.
 */
const indexFamily = async (deps: Deps, listingId: number, before: ReadonlySet<number>): Promise<void> =>
  retryOnConflict(async () => {
    const { calendarId, memberIds } = await readFamily(deps.table, listingId);
    if (before.has(calendarId)) return;
    const seen = new Set([...before, calendarId]);
    for (let at = 0; at < memberIds.length; at += membersAtOnce)
      await indexMembers(deps, calendarId, memberIds.slice(at, at + membersAtOnce), seen);
  });

/**
 * Reads the current records after the chunks, and writes each chunk if its version is unchanged. A later write has read
 * later records, so an older state never replaces a newer one.
 */
const indexMembers = async (
  deps: Deps,
  calendarId: number,
  memberIds: readonly number[],
  seen: ReadonlySet<number>,
): Promise<void> => {
  const { table } = deps;
  const read = await table.getGroups([
    memberIds.map((listingId) => readOf(SearchEntryEntity, { listing_id: listingId })),
    memberIds.map(listingRead),
  ]);
  const entries = read[0].filter((entry) => entry !== undefined);
  const listings = read[1].filter((listing) => listing !== undefined);
  // A listing from another family leaves it with fewer taken hours; that family is indexed first, so that a crash does
  // not skip it.
  for (const { calendar_id } of entries)
    if (!seen.has(calendar_id)) await indexFamily(deps, calendar_id, seen);
  const draft = await IndexDraft.load(table, entries, listings.map(cellOfListing));
  for (const indexed of await readCurrent(deps, calendarId, memberIds)) draft.place(indexed);
  await writeTerms(table, draft.newTerms());
  await writeTogether(table, draft.writes());
};

/** Reads the listings that share a listing's calendar, itself included. */
const readFamily = async (table: Table, listingId: number) => {
  const listing = await readListing(table, listingId);
  if (!listing) throw new Error(`the listing ${listingId} does not exist`);
  const calendarId = calendarOf(listing);
  const parent = calendarId === listingId ? listing : await readListing(table, calendarId);
  const memberIds = [...new Set([calendarId, listingId, ...(parent?.child_listing_ids ?? [])])];
  return { calendarId, memberIds };
};

const readCurrent = async (
  { table, clock }: Deps,
  calendarId: number,
  memberIds: readonly number[],
): Promise<Indexed[]> => {
  const now = clock.now();
  const firstMonth = addDays(instantText(now).slice(0, 10), -2).slice(0, 7);
  const [[listings, priceParts], hoursOf] = await Promise.all([
    table.getGroups([memberIds.map(listingRead), memberIds.map(pricePartsRead)]),
    committedHours(table, calendarId, firstMonth),
  ]);
  return memberIds.map((listingId, position) => {
    const listing = listings[position];
    if (listing === undefined || calendarOf(listing) !== calendarId) throw new ConflictError('Listing');
    const parts = priceParts[position];
    const date = today(now, listing.timezone);
    const gone = hourNumber(atTime(addDays(date, -1), '00:00:00'));
    const taken = hoursOf(listingId).filter(([, to]) => to > gone);
    const document = listing.state === 'ACTIVE' ? searchDocument({ listing, parts, taken }, date) : null;
    return { listing_id: listingId, calendar_id: calendarId, cell: cellOfListing(listing), document };
  });
};

/** Returns the cell of a listing; those without coordinates have one cell for each province. */
const cellOfListing = ({ latitude, longitude, province_code }: Listing): string =>
  latitude === null || longitude === null
    ? `NOWHERE-${provinceOf(province_code)}`
    : cellOf({ latitude, longitude });

/** In transactions only to save time: one request takes as long as one put. */
const writeTerms = async (table: Table, signs: readonly SearchTerm[]): Promise<void> => {
  for (let at = 0; at < signs.length; at += maxWrites)
    await table.transact(signs.slice(at, at + maxWrites).map((sign) => put(SearchTermEntity, sign)));
};

/** A single write needs no transaction, which would cost twice as much. */
const writeTogether = async (table: Table, writes: readonly Write[]): Promise<void> => {
  const [only] = writes;
  if (only && writes.length === 1) await table.put(only);
  else await table.transact(writes);
};
