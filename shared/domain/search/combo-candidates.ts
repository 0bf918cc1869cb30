import { distanceKm } from './grid.ts';
import type { Offer } from './offer.ts';
import type { Party } from './search-criteria.ts';
import { maxCombos } from './search.schema.ts';

/** Returns the price of a listing for some of the guests; Infinity if it does not accept them. */
type TotalOf = (offer: Offer, party: Party) => number;

const adultsOnly = (guests: number, party: Party): Party => ({
  guests,
  adults: party.adults === null ? null : guests,
  children: party.children === null ? null : 0,
});

/**
 * Divides the guests among several listings: one adult in each, each further guest where it costs least, then the
 * children where a child costs least. Returns null if there are too few adults or places.
 */
export const divideGuests = (offers: readonly Offer[], party: Party, totalOf: TotalOf): Party[] | null => {
  const places = offers.reduce((sum, { capacity }) => sum + capacity, 0);
  if (offers.length > (party.adults ?? party.guests) || places < party.guests) return null;
  const alone = offers.map((offer) => ({ offer, share: adultsOnly(1, party) }));
  const more = (share: Party, offer: Offer) =>
    share.guests < offer.capacity ? adultsOnly(share.guests + 1, party) : null;
  const shares = placed(alone, { count: party.guests - offers.length, more, totalOf });
  const child = (share: Party) => ((share.adults ?? 0) < 2 ? null : replaceAdultByChild(share));
  const divided = placed(shares, { count: party.children ?? 0, more: child, totalOf });
  return divided.map(({ share }) => share);
};

interface Placing {
  count: number;
  /** Returns the share with one more of them; null if there is no place. */
  more: (share: Party, offer: Offer) => Party | null;
  totalOf: TotalOf;
}

interface Placed {
  offer: Offer;
  share: Party;
}

interface Step extends Placed {
  next: Party | null;
  cost: number;
}

/** Adds one after another where one more costs least. */
const placed = (start: readonly Placed[], { count, more, totalOf }: Placing): Placed[] => {
  const stepOf = ({ offer, share }: Placed): Step => {
    const next = more(share, offer);
    return { offer, share, next, cost: next ? totalOf(offer, next) - totalOf(offer, share) : Infinity };
  };
  const steps = start.map(stepOf);
  for (let left = count; left > 0; left--) {
    const cheapest = cheapestOf(steps);
    const step = steps[cheapest];
    if (step?.next) steps[cheapest] = stepOf({ offer: step.offer, share: step.next });
  }
  return steps;
};

/** Replaces one adult of a share by a child. */
const replaceAdultByChild = (share: Party): Party => ({
  ...share,
  adults: (share.adults ?? 0) - 1,
  children: (share.children ?? 0) + 1,
});

/** Among equal ones the older listing, so that the result does not depend on their order. */
const cheapestOf = (steps: readonly Step[]): number => {
  let best = 0;
  for (const [position, step] of steps.entries()) {
    const other = steps[best];
    if (step.next === null || !other || step === other) continue;
    if (
      other.next === null ||
      step.cost < other.cost ||
      (step.cost === other.cost && step.offer.id < other.offer.id)
    )
      best = position;
  }
  return best;
};

const maxDistanceKm = 2;
/** The most listings of one currency that groups are made of. */
const maxCandidates = 250;

/** A listing that may be part of a group. */
export interface Candidate {
  offer: Offer;
  /** How many of the guests it holds. */
  capacity: number;
  /** Its total with one guest, the lowest of any share. */
  least: number;
  /** Its total with as many guests as it holds. */
  full: number;
}

/** Totals of shares, each computed once; `computed` counts the computations. */
export class Totals {
  computed = 0;
  readonly #known = new Map<Offer, Map<number, number>>();

  /** Infinity where a checkout would refuse. */
  readonly of: TotalOf = (offer, party) => {
    let totals = this.#known.get(offer);
    if (!totals) this.#known.set(offer, (totals = new Map<number, number>()));
    const key = party.guests * 1000 + (party.children ?? 0);
    const known = totals.get(key);
    if (known !== undefined) return known;
    this.computed++;
    const total = offer.totalFor(party) ?? Infinity;
    totals.set(key, total);
    return total;
  };

  divide(offers: readonly Offer[], party: Party): Party[] | null {
    return divideGuests(offers, party, this.of);
  }
}

/**
 * Returns the listings that groups of one currency are made of; among hundreds the cheapest of each capacity by full
 * rate.
 */
export const candidatesOf = (
  offers: readonly Offer[],
  { guests, adults, children }: Party,
  totals: Totals,
): Candidate[] => {
  const shareOf = (count: number): Party => ({
    guests: count,
    adults: adults === null ? null : count,
    children: children === null ? null : 0,
  });
  const located = offers.filter((offer) => offer.km !== null);
  return cheapestOfEach(limitEqual(located), guests).flatMap((offer) => {
    const capacity = Math.min(offer.capacity, guests);
    const least = totals.of(offer, shareOf(1));
    if (least === Infinity) return [];
    return [{ offer, capacity, least, full: totals.of(offer, shareOf(capacity)) }];
  });
};

/**
 * Keeps at most as many equal listings (same in all but id and name) as there are results: further ones would only repeat
 * the totals of their groups.
 */
const limitEqual = (offers: readonly Offer[]): Offer[] => {
  const parents = new Set(offers.flatMap(({ id, calendar_id }) => (calendar_id === id ? [] : [calendar_id])));
  const kinds = Map.groupBy(offers, ({ id, calendar_id, kind }) => {
    const kin = calendar_id !== id || parents.has(id) ? calendar_id : 0;
    return `${kin} ${parents.has(id)} ${kind}`;
  });
  return [...kinds.values()].flatMap((equal) =>
    equal.sort((one, other) => one.id - other.id).slice(0, maxCombos),
  );
};

const cheapestOfEach = (offers: readonly Offer[], guests: number): Offer[] => {
  if (offers.length <= maxCandidates) return [...offers];
  const byCapacity = Map.groupBy(offers, ({ capacity }) => Math.min(capacity, guests));
  return [...byCapacity.values()]
    .flatMap((equal) => equal.sort(byFullRate).map((offer, rank) => ({ offer, rank })))
    .sort((one, other) => one.rank - other.rank || byFullRate(one.offer, other.offer))
    .slice(0, maxCandidates)
    .map(({ offer }) => offer);
};

const byFullRate = (one: Offer, other: Offer): number => one.fullRate - other.fullRate || one.id - other.id;

/** Whether two listings are near enough, and neither is the other's parent, which includes its rooms (D26). */
export const canCombine = (one: Offer, other: Offer): boolean =>
  one.calendar_id !== other.id &&
  other.calendar_id !== one.id &&
  distanceBetween(one, other) <= maxDistanceKm;

export const distanceBetween = (one: Offer, other: Offer): number => distanceKm(one, other);
