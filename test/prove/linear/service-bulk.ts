import { type DateRange, datesOf } from '../../../shared/platform/time/date-ranges.ts';
import { addDays } from '../../../shared/platform/time/time.ts';
import type { Asked } from './calendar.ts';
import type { Place, Stay } from './calendar-stays.ts';
import type { Call } from './linearize.ts';
import type { Asks } from './service-asks.ts';
import { blockedSpan } from './service-items.ts';

interface Body {
  listing_ids: number[];
  date_ranges: DateRange[];
  change: { state: 'BLOCKED' | 'AVAILABLE' };
  dry_run?: boolean;
}

/** What has become of one listing, by the answer. */
interface Item {
  listing_id: number;
  ranges?: (DateRange & { before: string; after: string })[];
  blocks?: DateRange[];
  error: { code: string } | null;
}

interface Answer {
  undo_id: number | null;
  items: Item[];
}

interface OfHome {
  home: number;
  asked: Asked;
  /** What this listing's part of the request has done is not known. */
  isLost?: true;
}

type OfBulk = Pick<Stay, 'ids' | 'bulk'>;

/** Blocks of many listings at once: each listing is changed in one step of its own. */
export class BulkBlocks {
  /** By the id of the undo. */
  readonly #bulks = new Map<number, Body>();
  readonly #ids = new Map<string, number>();

  readonly #isHourly: (home: number) => boolean;

  constructor(asks: readonly Asks[], isHourly: (home: number) => boolean) {
    this.#isHourly = isHourly;
    for (const { request, answer } of asks) {
      if (request.request.verb !== 'bulkBlocks' || answer?.status !== 200) continue;
      const { undo_id } = answer.json as Answer;
      if (undo_id !== null) this.#bulks.set(undo_id, request.request.body as Body);
    }
  }

  /** What the request has done to each home, in a step of its own. */
  callsOf(one: Asks, isShared: (home: number) => boolean): { home: number; call: Call<Asked> }[] {
    const { name, begin, end } = one;
    return this.#askedOf(one, isShared).map(({ home, asked, isLost }) => {
      const call = isLost ? { end: Infinity, asked: { ...asked, by: Infinity } } : { end, asked };
      return { home, call: { name, begin, ...call } };
    });
  }

  #askedOf(one: Asks, isShared: (home: number) => boolean): OfHome[] {
    const { request, answer } = one;
    if (answer && answer.status >= 300) return [];
    const body = request.request.body as Body & { undo_id: number };
    if (request.request.verb === 'undoBulk') return this.#undone(one, body.undo_id);
    if (body.dry_run) return [];
    const { undo_id, items } = (answer?.json ?? { undo_id: null, items: unknownItems(body) }) as Answer;
    return items.flatMap((item) => {
      const { listing_id: home, error } = item;
      const placesIn: PlacesIn = (ranges) => placesOf(home, ranges, this.#isHourly(home));
      if (isUnknown(item)) return [perhaps(one, home, body, placesIn)];
      if (body.change.state === 'AVAILABLE')
        return error ? [] : [lifts(one, home, placesIn(body.date_ranges))];
      if (error?.code === 'LISTING_NOT_AVAILABLE' && !isShared(home)) {
        const places = placesIn(body.date_ranges);
        return [{ home, asked: { ...waitedOf(one), did: 'find taken' as const, places } }];
      }
      return error
        ? []
        : blocks(one, item, placesIn, undo_id === null ? undefined : this.#ofBulk(undo_id, home));
    });
  }

  #ofBulk(undo: number, home: number): OfBulk {
    return { ids: [this.#idOf(undo, home)], bulk: undo };
  }

  /** Of what a bulk change has blocked at a home. */
  #idOf(undo: number, home: number): number {
    const name = `${undo} ${home}`;
    const id = this.#ids.get(name) ?? -1_000_000 - this.#ids.size;
    this.#ids.set(name, id);
    return id;
  }

  #undone(one: Asks, undo: number): OfHome[] {
    const bulk = this.#bulks.get(undo);
    if (!bulk) return [];
    const { items } = (one.answer?.json ?? { items: unknownItems(bulk) }) as Answer;
    const named = new Set(items.map(({ listing_id }) => listing_id));
    // A room that was blocked by the block of its house is free with that, and is not named.
    const rooms = bulk.listing_ids.filter((home) => bulk.change.state === 'BLOCKED' && !named.has(home));
    const freed = rooms.map((home): OfHome => {
      const asked = { ...waitedOf(one), did: 'loosen' as const, id: this.#idOf(undo, home) };
      return { home, asked };
    });
    const undone = items.flatMap((item): OfHome[] => {
      const { listing_id: home, error, blocks: changed = [] } = item;
      const placesIn: PlacesIn = (ranges) => placesOf(home, ranges, this.#isHourly(home));
      const id = this.#idOf(undo, home);
      if (bulk.change.state === 'BLOCKED') {
        if (isUnknown(item)) return [{ home, asked: { ...waitedOf(one), did: 'loosen', id }, isLost: true }];
        return error ? [] : [lifts(one, home, placesIn(changed), id)];
      }
      // Of a day that was lifted a block may have taken a part.
      if (isUnknown(item)) return [perhaps(one, home, { ...bulk, change: { state: 'BLOCKED' } }, placesIn)];
      return error || changed.length === 0 ? [] : [partly(one, home, placesIn(changed))];
    });
    return [...undone, ...freed];
  }
}

const unknownItems = ({ listing_ids }: Body): Item[] =>
  listing_ids.map((listing_id) => ({ listing_id, error: { code: 'SERVICE_UNAVAILABLE' } }));

const isUnknown = ({ error }: Item): boolean => error?.code === 'SERVICE_UNAVAILABLE';

const waitedOf = ({ since, by, request: { who } }: Asks) => ({ who: who.name, since, by });

type PlacesIn = (ranges: readonly DateRange[]) => Place[];

/** The hours of dates, those of dates that follow each other as one. */
const placesOf = (home: number, ranges: readonly DateRange[], isHourly: boolean): Place[] => {
  const runs: { first: string; last: string }[] = [];
  for (const date of datesOf(ranges)) {
    const run = runs.at(-1);
    if (run && addDays(run.last, 1) === date) run.last = date;
    else runs.push({ first: date, last: date });
  }
  return runs.map(({ first, last }) => ({ home: String(home), ...blockedSpan(isHourly, first, last) }));
};

const staysOf = (one: Asks, places: readonly Place[], ids: readonly number[], looseFrom: number): Stay[] =>
  places.map((place) => ({
    ...place,
    ids,
    who: one.request.who.name,
    until: null,
    looseFrom,
    isBlock: true,
  }));

const lifts = (one: Asks, home: number, places: Place[], id?: number): OfHome => ({
  home,
  asked: {
    ...{ ...waitedOf(one), did: 'lift', places },
    ...(id === undefined ? {} : { id }),
  },
});

const partly = (one: Asks, home: number, places: readonly Place[]): OfHome => ({
  home,
  asked: {
    ...waitedOf(one),
    did: 'take a part',
    stays: staysOf(one, places, [], -Infinity),
  },
});

const perhaps = (one: Asks, home: number, { change, date_ranges }: Body, placesIn: PlacesIn): OfHome => ({
  ...(change.state === 'BLOCKED'
    ? partly(one, home, placesIn(date_ranges))
    : lifts(one, home, placesIn(date_ranges))),
  isLost: true,
});

/** Days that were free are blocked now; of those that were blocked before, perhaps more than before. */
const blocks = (
  one: Asks,
  { listing_id: home, ranges = [] }: Item,
  placesIn: PlacesIn,
  of?: OfBulk,
): OfHome[] => {
  const free = ranges.filter(({ before }) => before === 'AVAILABLE');
  const others = ranges.filter(({ before }) => before !== 'AVAILABLE');
  const stays = staysOf(one, placesIn(free), of?.ids ?? [], Infinity).map((stay) => ({
    ...stay,
    ...of,
  }));
  return [
    ...(stays.length === 0 ? [] : [{ home, asked: { ...waitedOf(one), did: 'take' as const, stays } }]),
    ...(others.length === 0 ? [] : [partly(one, home, placesIn(others))]),
  ];
};
