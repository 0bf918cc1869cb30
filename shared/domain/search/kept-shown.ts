import type { Context } from '../../platform/context.ts';
import { type Read, readOf, type Table } from '../../platform/table/index.ts';
import {
  type CalendarMonth,
  type FamilyMonth,
  familyMonths,
  type MonthIds,
  monthReads,
  monthsOfChildren,
} from '../calendar/model.ts';
import { BriefCache } from './brief-cache.ts';
import { ByteLimitedCache } from './byte-limited-cache.ts';
import { type ShownDocument, unpackShown } from './search-document.ts';
import { type SearchCell, type SearchEntry, SearchEntryEntity } from './search.entity.ts';

/** A listing that may be shown, with the months in which its stay takes time. */
export interface ShownIds {
  id: number;
  calendar_id: number;
  /** That of its document, as its place says. */
  revision: number;
  months: readonly string[];
}

/** What is known of it. */
export interface Shown {
  /** Null for a listing that is not in the index any more. */
  document: ShownDocument | null;
  /** With those of its parent and children. */
  months: FamilyMonth[];
}

interface KeptDocument {
  revision: number;
  /** Epoch milliseconds. */
  readAt: number;
  document: ShownDocument;
}

/** Cells that are read in the same round trip. */
interface Along {
  reads: readonly Read<SearchCell>[];
  keep: (found: readonly (SearchCell | undefined)[]) => void;
}

/** Documents and months to read. */
interface Wanted {
  ids: number[];
  months: MonthIds[];
}

interface Found {
  documents: Map<number, ShownDocument | null>;
  /** By {@link monthName}. */
  months: Map<string, FamilyMonth>;
}

/**
 * The longest that a document is believed. While two versions of the service run, the older writes documents without counting
 * their revisions.
 */
const documentMs = 60_000;
/** The most keys of a BatchGet. */
const batchKeys = 100;
/** A document in memory is several times its deflated bytes. */
const unpackedFactor = 10;

/**
 * Documents of listings, as long as their places say the same revision, for a minute at most; and what takes their time, month
 * by month, soft locks included, as it was read less than `keepMs` ago.
 */
export class KeptShown {
  readonly #documents: ByteLimitedCache<KeptDocument>;
  readonly #months: BriefCache<MonthIds, FamilyMonth>;

  constructor({ keepMs, maxBytes }: { keepMs: number; maxBytes: number }) {
    this.#documents = new ByteLimitedCache((maxBytes * 3) / 4);
    this.#months = new BriefCache({ keepMs, maxBytes: maxBytes / 4 });
  }

  get bytes(): number {
    return this.#documents.bytes + this.#months.bytes;
  }

  /**
   * Returns what is known of listings, in their order: in one round trip, in two for houses with stays in their rooms, without
   * one while warm.
   */
  async read(
    { table, clock }: Pick<Context, 'table' | 'clock'>,
    listings: readonly ShownIds[],
    along: Along,
  ): Promise<Shown[]> {
    const now = clock.now();
    const unread: Wanted = { ids: [], months: [] };
    const known = listings.map(({ id, calendar_id, revision, months }) => {
      const document = this.#document(id, revision, now);
      if (document === undefined) unread.ids.push(id);
      return {
        document,
        months: months.map((month) => this.#month({ calendar_id, listing_id: id, month }, now, unread)),
      };
    });
    if (unread.ids.length + unread.months.length + along.reads.length === 0) return known as Shown[];
    const read = await this.#read(table, this.#withBusy(unread, along, now), { along, now });
    return listings.map(({ id, months }, at) => ({
      document: known[at]?.document ?? read.documents.get(id) ?? null,
      months: months.map(
        (month, position) =>
          known[at]?.months[position] ?? read.months.get(monthName({ listing_id: id, month })),
      ),
    })) as Shown[];
  }

  /** Undefined if it is to be read: without a counted revision each time. */
  #document(id: number, revision: number, now: number): ShownDocument | undefined {
    const kept = this.#documents.get(String(id));
    if (revision === 0 || kept?.revision !== revision) return undefined;
    return Math.abs(now - kept.readAt) < documentMs ? kept.document : undefined;
  }

  /** Returns a month that is still believed, or adds it to what is to be read. */
  #month(ids: MonthIds, now: number, { months }: Wanted): FamilyMonth | undefined {
    const known = this.#months.get(monthName(ids), now);
    if (!known) months.push(ids);
    return known;
  }

  /** Adds months that will soon be asked for, as far as they have room in the same request. */
  #withBusy({ ids, months }: Wanted, { reads }: Along, now: number): Wanted {
    const room = batchKeys - reads.length - ids.length - monthReads(months).length;
    const busy = this.#months.takeBusy(room, now, (one) => monthReads([one]).length);
    return { ids, months: [...months, ...busy] };
  }

  async #read(
    table: Table,
    { ids, months }: Wanted,
    { along, now }: { along: Along; now: number },
  ): Promise<Found> {
    const entries = ids.map((id) => readOf(SearchEntryEntity, { listing_id: id }));
    const groups = [entries, monthReads(months), along.reads] as const;
    const [found, items, cells] = await table.getGroups(groups, { consistent: false });
    along.keep(cells);
    return {
      documents: new Map(ids.map((id, at) => [id, this.#keepDocument(id, found[at], now)])),
      months: await this.#keepMonths(table, months, { items, now }),
    };
  }

  /** It is kept by its own revision: a replica may have an older one than the place says, or a newer one. */
  #keepDocument(id: number, entry: SearchEntry | undefined, now: number): ShownDocument | null {
    if (!entry?.packed) return null;
    const { revision, packed } = entry;
    const document = unpackShown(packed);
    this.#documents.set(
      String(id),
      { revision, readAt: now, document },
      100 + packed.length * unpackedFactor,
    );
    return document;
  }

  /** Children are read in addition where a month has counted any. */
  async #keepMonths(
    table: Table,
    wanted: readonly MonthIds[],
    { items, now }: { items: readonly (CalendarMonth | undefined)[]; now: number },
  ): Promise<Found['months']> {
    const found = items.filter((item) => item !== undefined);
    const children = await monthsOfChildren(table, found);
    const houses = new Set(children.map(familyName));
    const families = Map.groupBy([...found, ...children], familyName);
    const months: Found['months'] = new Map();
    for (const ids of wanted) {
      const { calendar_id, month } = ids;
      const name = familyName(ids);
      const [family] = familyMonths(families.get(name) ?? []);
      const value = family ?? { calendar_id, month, taken: {}, locks: {} };
      // A house would be a round trip more for who reads its month beside others.
      this.#months.set(monthName(ids), ids, { value, bytes: bytesOf(value), now, again: !houses.has(name) });
      months.set(monthName(ids), value);
    }
    return months;
  }
}

const monthName = ({ listing_id, month }: Pick<MonthIds, 'listing_id' | 'month'>): string =>
  `${listing_id} ${month}`;

const familyName = ({ calendar_id, month }: Pick<MonthIds, 'calendar_id' | 'month'>): string =>
  `${calendar_id} ${month}`;

/** The bytes in memory, roughly. */
const bytesOf = ({ taken, locks }: FamilyMonth): number =>
  300 + 300 * (Object.keys(taken).length + Object.keys(locks).length);
