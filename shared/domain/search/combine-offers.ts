import { money, sum, toNumber } from '../../platform/money.ts';
import { apartKm, canCombine, type Candidate, candidatesOf, Totals } from './combo-candidates.ts';
import { shownKm } from './grid.ts';
import { type Offer, priceText } from './offer.ts';
import type { Party } from './search-criteria.ts';
import { type Combo, mostCombos } from './search.schema.ts';

const sizes = [2, 3, 4, 5];
/** What one search may cost, at most: beginnings of groups that are followed and groups that are priced, of each size. */
const mostSteps = 4000;
const mostDivisions = 500;
/** Shares that are priced to divide guests; a quarter more with each size, so that pairs leave enough for the others. */
const mostPricings = 600;

/** Listings that lodge the guests together, and who lodges where. */
export interface Group {
  offers: Offer[];
  shares: Party[];
  total: number;
}

interface Asked {
  party: Party;
  /** Whether a total is within the price that was asked for. */
  isAffordable: (total: number) => boolean;
}

/**
 * The cheapest groups of 2 to 5 listings of one currency that hold the guests together (D59), at most 20, the cheapest first.
 * No two are farther apart than 2 km, none stands beside its parent, and each takes one guest at least.
 * Small sizes come first, and what one search may cost is bounded: among hundreds of listings it may miss the very cheapest.
 */
export const combineOffers = (offers: readonly Offer[], asked: Asked): Group[] => {
  const byCurrency = Map.groupBy(offers, ({ document }) => document.rateCard.listing.currency);
  return [...byCurrency]
    .flatMap(([currency, some]) =>
      new Groups(some, asked, 1 / byCurrency.size).cheapest().map((group) => ({ currency, group })),
    )
    .sort((one, other) =>
      priceText(one.currency, one.group.total) < priceText(other.currency, other.group.total) ? -1 : 1,
    )
    .slice(0, mostCombos)
    .map(({ group }) => group);
};

/** The beginning of a group, and who may still join it. */
interface Beginning {
  members: readonly Candidate[];
  /** Neighbours of every member, in order. */
  rest: readonly Candidate[];
  /** Members that are still to come. */
  room: number;
  /** Guests that the members do not hold. */
  need: number;
  /** What the members cost at least. */
  least: number;
}

/** Looks for groups of one size after another, and leaves out what cannot hold the guests or be among the best any more. */
class Groups {
  readonly #totals = new Totals();
  readonly #candidates: readonly Candidate[];
  readonly #asked: Asked;
  /** Its part of what the search may cost. */
  readonly #part: number;
  readonly #neighbours = new Map<Candidate, ReadonlySet<Candidate>>();
  readonly #best: Group[] = [];
  #steps = 0;
  #divisions = 0;
  #pricings = 0;

  constructor(offers: readonly Offer[], asked: Asked, part: number) {
    this.#asked = asked;
    this.#part = part;
    this.#candidates = candidatesOf(offers, asked.party, this.#totals);
  }

  cheapest(): Group[] {
    const { adults, guests } = this.#asked.party;
    const begun = this.#totals.worked;
    for (const [position, size] of sizes.entries()) {
      if (size > (adults ?? guests)) break;
      this.#steps = mostSteps * this.#part;
      this.#divisions = mostDivisions * this.#part;
      this.#pricings = begun + ((mostPricings * (position + 1)) / sizes.length) * this.#part;
      const rest = inOrder(this.#candidates, Math.ceil(guests / size));
      this.#extend({ members: [], rest, room: size, need: guests, least: 0 });
    }
    return this.#best;
  }

  #extend(beginning: Beginning): void {
    const { members, rest, room, need, least } = beginning;
    if (room === 0) {
      this.#judge(members.map(({ offer }) => offer));
      return;
    }
    for (const [position, candidate] of rest.entries()) {
      if (this.#isSpent()) return;
      const next: Beginning = {
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
    return this.#steps <= 0 || this.#divisions <= 0 || this.#totals.worked >= this.#pricings;
  }

  #neighboursOf(candidate: Candidate): ReadonlySet<Candidate> {
    const known = this.#neighbours.get(candidate);
    if (known) return known;
    const near = new Set(this.#candidates.filter(({ offer }) => canCombine(candidate.offer, offer)));
    this.#neighbours.set(candidate, near);
    return near;
  }

  /** Whether the largest of the rest hold who is left, and the cheapest of them can be among the best. */
  #isHopeful({ rest, room, need, least }: Beginning): boolean {
    if (room === 0) return need <= 0 && !this.#isTooDear(least);
    if (rest.length < room || largestOf(rest, room) < need) return false;
    // One of them holds the mean at least.
    const large = leastOf(rest, need / room);
    return !this.#isTooDear(least + large + (room - 1) * leastOf(rest, 0));
  }

  #isTooDear(least: number): boolean {
    return this.#best.length === mostCombos && least >= (this.#best.at(-1)?.total ?? Infinity);
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
    this.#best.length = Math.min(this.#best.length, mostCombos);
  }
}

/** The cheapest first, with as many guests as each has in a group that shares them evenly. */
const inOrder = (candidates: readonly Candidate[], evenShare: number): Candidate[] =>
  candidates
    .map((candidate) => {
      const { least, full, capacity } = candidate;
      const part = capacity > 1 ? (Math.min(capacity, evenShare) - 1) / (capacity - 1) : 0;
      return { candidate, cost: least + (full - least) * part };
    })
    .sort((one, other) => one.cost - other.cost || one.candidate.offer.id - other.candidate.offer.id)
    .map(({ candidate }) => candidate);

/** Guests that the largest `count` hold together. */
const largestOf = (candidates: readonly Candidate[], count: number): number => {
  const largest = Array.from({ length: count }, () => 0);
  for (let { capacity } of candidates)
    for (let place = 0; place < count && capacity > (largest[count - 1] ?? 0); place++) {
      const here = largest[place] ?? 0;
      if (capacity > here) [largest[place], capacity] = [capacity, here];
    }
  return largest.reduce((places, capacity) => places + capacity, 0);
};

/** What the cheapest costs that holds so many. */
const leastOf = (candidates: readonly Candidate[], guests: number): number => {
  let cheapest = Infinity;
  for (const { capacity, least } of candidates) if (capacity >= guests && least < cheapest) cheapest = least;
  return cheapest;
};

/** A group as the answer shows it (D59). */
export const presentGroup = ({ offers, shares, total }: Group): Combo => {
  const pairs = offers.flatMap((one, position) =>
    offers.slice(position + 1).map((other) => apartKm(one, other)),
  );
  return {
    listings: offers.map((offer, position) => {
      const { guests, adults, children } = shares[position] ?? { guests: 1, adults: null, children: null };
      const party = { guests, adults, children };
      return {
        ...offer.present(party),
        guest_number: guests,
        adult_number: adults,
        children_number: children,
      };
    }),
    total_capacity: offers.reduce((places, { document }) => places + document.capacity, 0),
    total_price: total,
    currency: offers[0]?.document.rateCard.listing.currency ?? '',
    max_distance_km: shownKm(Math.max(...pairs)),
  };
};
