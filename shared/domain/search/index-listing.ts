import type { EventOf } from '../../events.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { inLanes } from '../../platform/in-lanes.ts';
import {
  ConflictError,
  maxWrites,
  put,
  readOf,
  retryOnConflict,
  type Table,
  type Write,
} from '../../platform/table/index.ts';
import { addDays, atTime, today } from '../../platform/time/time.ts';
import type { Subscribed } from '../../subscriptions.ts';
import { calendarOf, committedHours, hourNumber } from '../calendar/model.ts';
import { isOpenToAll, type Listing, listingRead } from '../listing/model.ts';
import { pricingReads } from '../pricing/model.ts';
import { cellOf } from './grid.ts';
import { IndexDraft, type Indexed } from './index-draft.ts';
import { provinceOf } from './place-text.ts';
import { searchDocument } from './search-document.ts';
import { SearchEntryEntity, type SearchTerm, SearchTermEntity } from './search.entity.ts';

type Deps = Pick<Dependencies, 'table' | 'clock'>;

/** Updates the search index after events (D60). Idempotent, in any order. */
export const indexListings = async (deps: Deps, listingIds: readonly number[]): Promise<void> =>
  indexFamilies(deps, listingIds, new Set());

/** Returns the listing of an event; those of bookings and reviews have it in a field of its own. */
export const listingOf = (event: EventOf<Subscribed<'search-index'>>): number => {
  const id = listingIdIn(event);
  if (id === undefined) throw new Error(`event ${event.id} has no listing`);
  return id;
};

const listingIdIn = (event: EventOf<Subscribed<'search-index'>>): number | undefined => {
  switch (event.event_type) {
    case 'booking.created':
    case 'booking.declined':
    case 'booking.changed':
    case 'booking.cancelled':
    case 'booking.restored':
    case 'review.created':
      return event.data.listing_id;
    default:
      return event.data.id;
  }
};

/** The members of one transaction, which also has the planes that they change. */
const membersAtOnce = 50;
/** A transaction takes 4 MB. */
const maxBytes = 3_000_000;

/** A listing and the calendar that has its hours (D26). */
interface Member {
  listing_id: number;
  calendar_id: number;
  /** As it was read before its cell; one that has moved since is a conflict. */
  listing?: Listing | undefined;
}

/**
 * Writes the documents of listings: with a parent those of its children, with a child that of its parent, which share hours
 * (D26). Calendars in `before` are skipped: they are being indexed already.
 */
const indexFamilies = async (
  deps: Deps,
  listingIds: readonly number[],
  before: ReadonlySet<number>,
): Promise<void> =>
  retryOnConflict(async () => {
    const members = (await readMembers(deps.table, listingIds)).filter((one) => !before.has(one.calendar_id));
    const seen = new Set([...before, ...members.map(({ calendar_id }) => calendar_id)]);
    for (let at = 0; at < members.length; at += membersAtOnce)
      await indexMembers(deps, members.slice(at, at + membersAtOnce), seen);
  });

/** Returns the listings whose documents the events may have changed. */
const readMembers = async (table: Table, listingIds: readonly number[]): Promise<Member[]> => {
  const ids = [...new Set(listingIds)];
  const listings = await table.getAll(ids.map(listingRead));
  const known = new Map(listings.map((listing) => [listing?.id, listing]));
  const members = new Map<number, Member>();
  listings.forEach((listing, at) => {
    if (!listing) throw new Error(`the listing ${ids[at] ?? ''} does not exist`);
    const calendarId = calendarOf(listing);
    for (const id of [calendarId, listing.id, ...listing.child_listing_ids])
      members.set(id, { listing_id: id, calendar_id: calendarId, listing: known.get(id) });
  });
  return [...members.values()];
};

/**
 * Reads the current records after the cells, and writes each cell if its version is unchanged. A later write has read later
 * records, so an older state never replaces a newer one.
 */
const indexMembers = async (
  deps: Deps,
  members: readonly Member[],
  seen: ReadonlySet<number>,
): Promise<void> => {
  const { table } = deps;
  const read = await table.getGroups([
    members.map(({ listing_id }) => readOf(SearchEntryEntity, { listing_id })),
    members.filter(({ listing }) => !listing).map(({ listing_id }) => listingRead(listing_id)),
  ]);
  const entries = read[0].filter((entry) => entry !== undefined);
  const listings = [...members.map(({ listing }) => listing), ...read[1]].filter(
    (listing) => listing !== undefined,
  );
  // A listing from another family leaves it with fewer taken hours; that family is indexed first, so that a crash does
  // not skip it.
  const left = entries.map(({ calendar_id }) => calendar_id).filter((id) => !seen.has(id));
  if (left.length > 0) await indexFamilies(deps, left, seen);
  const firstMonth = firstMonthAt(deps.clock.now());
  const cells = listings.map(cellOfListing);
  const draft = await IndexDraft.read(table, { entries, cells, firstMonth });
  for (const indexed of await readCurrent(deps, members, firstMonth)) draft.place(indexed);
  await draft.load(table);
  const writes = draft.writes();
  if (members.length > 1 && (writes.length > maxWrites || draft.bytes > maxBytes)) {
    const half = Math.ceil(members.length / 2);
    await indexMembers(deps, members.slice(0, half), seen);
    await indexMembers(deps, members.slice(half), seen);
    return;
  }
  await writeTerms(table, draft.newTerms());
  await writeTogether(table, writes);
};

/** Returns the first month that a search may still ask for: in every time zone, yesterday is not before it. */
const firstMonthAt = (now: number): string => addDays(instantText(now).slice(0, 10), -2).slice(0, 7);

const readCurrent = async (
  { table, clock }: Deps,
  members: readonly Member[],
  firstMonth: string,
): Promise<Indexed[]> => {
  const now = clock.now();
  const priced = members.map(({ listing_id }) => pricingReads(listing_id));
  const calendars = [...new Set(members.map(({ calendar_id }) => calendar_id))];
  const [[listings, priceParts], hours] = await Promise.all([
    table.getGroups([priced.map(([listing]) => listing), priced.map(([, parts]) => parts)]),
    Promise.all(calendars.map((calendarId) => committedHours(table, calendarId, firstMonth))),
  ]);
  const hoursOf = new Map(calendars.map((calendarId, at) => [calendarId, hours[at]]));
  return members.map(({ listing_id, calendar_id }, position) => {
    const listing = listings[position];
    if (listing === undefined || calendarOf(listing) !== calendar_id) throw new ConflictError('Listing');
    const parts = priceParts[position];
    const date = today(now, listing.timezone);
    const gone = hourNumber(atTime(addDays(date, -1), '00:00:00'));
    const taken =
      hoursOf
        .get(calendar_id)?.(listing_id)
        .filter(([, to]) => to > gone) ?? [];
    const document = isOpenToAll(listing) ? searchDocument({ listing, parts, taken }, date) : null;
    return { listing_id, calendar_id, cell: cellOfListing(listing), document };
  });
};

/** Returns the cell of a listing; those without coordinates have one cell for each province. */
const cellOfListing = ({ latitude, longitude, province_code }: Listing): string =>
  latitude === null || longitude === null
    ? `NOWHERE-${provinceOf(province_code)}`
    : cellOf({ latitude, longitude });

/** Each alone: a transaction would cost twice as much, and what one of them leads to is written after all. */
const writeTerms = async (table: Table, signs: readonly SearchTerm[]): Promise<void> => {
  await inLanes(signs, (sign) => table.put(put(SearchTermEntity, sign)), termLanes);
};

/** A listing has about 60 terms. */
const termLanes = 32;

/** A single write needs no transaction, which would cost twice as much. */
const writeTogether = async (table: Table, writes: readonly Write[]): Promise<void> => {
  const [only] = writes;
  if (only && writes.length === 1) await table.put(only);
  else await table.transact(writes);
};
