import { money, sum, toNumber } from '../../platform/money.ts';
import { distanceBetween, canCombine, type Candidate, candidatesOf, Totals } from './combo-candidates.ts';
import { shownKm } from './grid.ts';
import type { Offer } from './offer.ts';
import { currencyGroup } from './rank-offers.ts';
import type { Party } from './search-criteria.ts';
import type { ShownDocument } from './search-document.ts';
import { type Combo, maxCombos } from './search.schema.ts';

const sizes = [2, 3, 4, 5];
/** Limits of one search, for each group size: partial groups that are extended, and groups that are priced. */
const maxSteps = 4000;
const maxDivisions = 500;
/** The most prices computed to divide guests; a further quarter for each size, so that pairs leave enough for the others. */
const maxPricings = 600;

/** Listings that hold the guests together, and their distribution. */
export interface Group {
  offers: Offer[];
  shares: Party[];
  total: number;
}

interface GroupRequest {
  party: Party;
  /** Whether a total is within the requested price range. */
  isAffordable: (total: number) => boolean;
}

/**
 * Returns the cheapest groups of 2 to 5 listings of one currency that hold the guests together (D59), at most 20, the
 * cheapest first. No two are more than 2 km apart, none is in a group with its parent, and each holds at least one guest.
 * The effort is bounded, smaller groups first: among hundreds of listings the very cheapest may be missed.
 */
export const combineOffers = (offers: readonly Offer[], request: GroupRequest): Group[] => {
  const byCurrency = Map.groupBy(offers, ({ currency }) => currency);
  return [...byCurrency]
    .flatMap(([currency, some]) =>
      new Groups(some, request, 1 / byCurrency.size).cheapest().map((group) => ({ currency, group })),
    )
    .sort(
      (one, other) =>
        compareTexts(currencyGroup(one.currency), currencyGroup(other.currency)) ||
        one.group.total - other.group.total,
    )
    .slice(0, maxCombos)
    .map(({ group }) => group);
};

/** A partial group with the listings that may still join it. */
interface PartialGroup {
  members: readonly Candidate[];
  /** Neighbours of every member, in order. */
  rest: readonly Candidate[];
  /** The number of members still to be added. */
  room: number;
  /** The number of guests that the members do not hold. */
  need: number;
  /** The minimum total of the members. */
  least: number;
}

/**
 * Searches groups of increasing size by branch and bound: partial groups that cannot hold the guests or be among the best
 * are skipped.
 */
class Groups {
  readonly #totals = new Totals();
  readonly #candidates: readonly Candidate[];
  readonly #asked: GroupRequest;
  /** Its share of the limits. */
  readonly #part: number;
  readonly #neighbours = new Map<Candidate, ReadonlySet<Candidate>>();
  readonly #best: Group[] = [];
  #steps = 0;
  #divisions = 0;
  #pricings = 0;

  constructor(offers: readonly Offer[], request: GroupRequest, part: number) {
    this.#asked = request;
    this.#part = part;
    this.#candidates = candidatesOf(offers, request.party, this.#totals);
  }

  cheapest(): Group[] {
    const { adults, guests } = this.#asked.party;
    const pricedBefore = this.#totals.computed;
    for (const [position, size] of sizes.entries()) {
      if (size > (adults ?? guests)) break;
      this.#steps = maxSteps * this.#part;
      this.#divisions = maxDivisions * this.#part;
      this.#pricings = pricedBefore + ((maxPricings * (position + 1)) / sizes.length) * this.#part;
      const rest = inOrder(this.#candidates, Math.ceil(guests / size));
      this.#extend({ members: [], rest, room: size, need: guests, least: 0 });
    }
    return this.#best;
  }

  #extend(partial: PartialGroup): void {
    const { members, rest, room, need, least } = partial;
    if (room === 0) {
      this.#judge(members.map(({ offer }) => offer));
      return;
    }
    for (const [position, candidate] of rest.entries()) {
      if (this.#isSpent()) return;
      const next: PartialGroup = {
        members: [...members, candidate],
        rest: [],
        room: room - 1,
        need: need - candidate.capacity,
        least: least + candidate.least,
      };
      if (room > 1) {
        this.#steps--;
        const near = this.#neighboursOf(candidate);
        next.rest = rest.slice(position + 1).filter((other) => near.has(other));
      }
      if (this.#isHopeful(next)) this.#extend(next);
    }
  }

  #isSpent(): boolean {
    return this.#steps <= 0 || this.#divisions <= 0 || this.#totals.computed >= this.#pricings;
  }

  #neighboursOf(candidate: Candidate): ReadonlySet<Candidate> {
    const known = this.#neighbours.get(candidate);
    if (known) return known;
    const near = new Set(this.#candidates.filter(({ offer }) => canCombine(candidate.offer, offer)));
    this.#neighbours.set(candidate, near);
    return near;
  }

  /** Whether the largest remaining listings hold the other guests, and the cheapest of them can be among the best. */
  #isHopeful({ rest, room, need, least }: PartialGroup): boolean {
    if (room === 0) return need <= 0 && !this.#isTooDear(least);
    if (rest.length < room || largestOf(rest, room) < need) return false;
    // At least one of them holds the mean.
    const large = leastOf(rest, need / room);
    return !this.#isTooDear(least + large + (room - 1) * leastOf(rest, 0));
  }

  #isTooDear(least: number): boolean {
    return this.#best.length === maxCombos && least >= (this.#best.at(-1)?.total ?? Infinity);
  }

  #judge(offers: Offer[]): void {
    this.#divisions--;
    const shares = this.#totals.divide(offers, this.#asked.party);
    if (!shares) return;
    const totals = offers.map((offer, position) => {
      const share = shares[position];
      return share ? this.#totals.of(offer, share) : Infinity;
    });
    if (totals.includes(Infinity)) return;
    const total = toNumber(sum(totals.map((one) => money(one))));
    if (!this.#asked.isAffordable(total) || this.#isTooDear(total)) return;
    const behind = this.#best.findIndex((group) => group.total > total);
    this.#best.splice(behind === -1 ? this.#best.length : behind, 0, { offers, shares, total });
    this.#best.length = Math.min(this.#best.length, maxCombos);
  }
}

/** Sorts by the price of an even share of the guests, the cheapest first. */
const inOrder = (candidates: readonly Candidate[], evenShare: number): Candidate[] =>
  candidates
    .map((candidate) => {
      const { least, full, capacity } = candidate;
      const part = capacity > 1 ? (Math.min(capacity, evenShare) - 1) / (capacity - 1) : 0;
      return { candidate, cost: least + (full - least) * part };
    })
    .sort((one, other) => one.cost - other.cost || one.candidate.offer.id - other.candidate.offer.id)
    .map(({ candidate }) => candidate);

/** Returns the number of guests that the largest `count` hold together. */
const largestOf = (candidates: readonly Candidate[], count: number): number => {
  const largest = Array.from({ length: count }, () => 0);
  for (let { capacity } of candidates)
    for (let place = 0; place < count && capacity > (largest[count - 1] ?? 0); place++) {
      const here = largest[place] ?? 0;
      if (capacity > here) [largest[place], capacity] = [capacity, here];
    }
  return largest.reduce((places, capacity) => places + capacity, 0);
};

/** Returns the lowest price among those that hold so many guests. */
const leastOf = (candidates: readonly Candidate[], guests: number): number => {
  let cheapest = Infinity;
  for (const { capacity, least } of candidates) if (capacity >= guests && least < cheapest) cheapest = least;
  return cheapest;
};

const compareTexts = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/**
 * Returns a group as the response shows it (D59), priced by the documents of its listings; undefined if one of them has left the
 * index or is not offered any more.
 */
export const presentGroup = (
  { offers, shares }: Group,
  documentOf: (id: number) => ShownDocument | null,
): Combo | undefined => {
  const pairs = offers.flatMap((one, position) =>
    offers.slice(position + 1).map((other) => distanceBetween(one, other)),
  );
  const listings = offers.flatMap((offer, position) => {
    const { guests, adults, children } = shares[position] ?? { guests: 1, adults: null, children: null };
    const document = documentOf(offer.id);
    const total = document ? offer.totalOf(document, { guests, adults, children }) : null;
    if (!document || total === null) return [];
    return {
      ...offer.present(document, total),
      guest_number: guests,
      adult_number: adults,
      children_number: children,
    };
  });
  if (listings.length < offers.length) return undefined;
  return {
    listings,
    total_capacity: offers.reduce((places, { capacity }) => places + capacity, 0),
    total_price: toNumber(sum(listings.map(({ total_price }) => money(total_price ?? 0)))),
    currency: offers[0]?.currency ?? '',
    max_distance_km: shownKm(Math.max(...pairs)),
  };
};
