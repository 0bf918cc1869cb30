import { distanceKm, type Point } from './grid.ts';
import type { Offer } from './offer.ts';
import type { Party } from './search-criteria.ts';
import { mostCombos } from './search.schema.ts';

/** What a listing costs with some of the guests; Infinity where it takes them not. */
type TotalOf = (offer: Offer, party: Party) => number;

const adultsOnly = (guests: number, party: Party): Party => ({
  guests,
  adults: party.adults === null ? null : guests,
  children: party.children === null ? null : 0,
});

/**
 * Who lodges where, when several listings share the guests: one grown-up in each, everybody else where one guest more costs
 * least, then the children where a child costs least. Null when there are too few grown-ups or places.
 */
export const divideGuests = (offers: readonly Offer[], party: Party, totalOf: TotalOf): Party[] | null => {
  const places = offers.reduce((sum, { document }) => sum + document.capacity, 0);
  if (offers.length > (party.adults ?? party.guests) || places < party.guests) return null;
  const alone = offers.map((offer) => ({ offer, share: adultsOnly(1, party) }));
  const more = (share: Party, offer: Offer) =>
    share.guests < offer.document.capacity ? adultsOnly(share.guests + 1, party) : null;
  const shares = placed(alone, { count: party.guests - offers.length, more, totalOf });
  const child = (share: Party) => ((share.adults ?? 0) < 2 ? null : withChild(share));
  const divided = placed(shares, { count: party.children ?? 0, more: child, totalOf });
  return divided.map(({ share }) => share);
};

interface Placing {
  count: number;
  /** The share with one of them more; null where there is no place. */
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

/** One after another where one more costs least. */
const placed = (begun: readonly Placed[], { count, more, totalOf }: Placing): Placed[] => {
  const stepOf = ({ offer, share }: Placed): Step => {
    const next = more(share, offer);
    return { offer, share, next, cost: next ? totalOf(offer, next) - totalOf(offer, share) : Infinity };
  };
  const steps = begun.map(stepOf);
  for (let left = count; left > 0; left--) {
    const cheapest = cheapestOf(steps);
    const step = steps[cheapest];
    if (step?.next) steps[cheapest] = stepOf({ offer: step.offer, share: step.next });
  }
  return steps;
};

/** One of the grown-ups of a share is a child. */
const withChild = (share: Party): Party => ({
  ...share,
  adults: (share.adults ?? 0) - 1,
  children: (share.children ?? 0) + 1,
});

/** Of equal ones the older listing, so that the order they are named in changes nothing. */
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

const farthestKm = 2;
/** Listings of one currency that groups are made of, at most. */
const mostCandidates = 250;

/** A listing that may be part of a group. */
export interface Candidate {
  offer: Offer;
  /** Guests of the search that it holds. */
  capacity: number;
  /** Its total with one guest: no share costs less. */
  least: number;
  /** Its total with as many guests as it holds. */
  full: number;
}

/** Totals of shares, each asked for once; `worked` counts them. */
export class Totals {
  worked = 0;
  readonly #known = new Map<Offer, Map<number, number>>();

  /** Infinity where a checkout would refuse. */
  readonly of: TotalOf = (offer, party) => {
    let totals = this.#known.get(offer);
    if (!totals) this.#known.set(offer, (totals = new Map<number, number>()));
    const key = party.guests * 1000 + (party.children ?? 0);
    const known = totals.get(key);
    if (known !== undefined) return known;
    this.worked++;
    const total = offer.quoteFor(party)?.total ?? Infinity;
    totals.set(key, total);
    return total;
  };

  divide(offers: readonly Offer[], party: Party): Party[] | null {
    return divideGuests(offers, party, this.of);
  }
}

/** What groups of one currency are made of. Of hundreds the cheapest of each capacity by their full rates. */
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
  const located = offers.filter((offer) => offer.located.km !== null);
  return cheapestOfEach(enoughOfEqual(located), guests).flatMap((offer) => {
    const capacity = Math.min(offer.document.capacity, guests);
    const least = totals.of(offer, shareOf(1));
    if (least === Infinity) return [];
    return [{ offer, capacity, least, full: totals.of(offer, shareOf(capacity)) }];
  });
};

/**
 * Of listings that differ in nothing but id and name as many as there are answers: with 20 of a kind there are 20 groups of
 * any number of them, and further ones only repeat their totals.
 */
const enoughOfEqual = (offers: readonly Offer[]): Offer[] => {
  const parents = new Set(
    offers.flatMap(({ id, document }) => (document.calendar_id === id ? [] : [document.calendar_id])),
  );
  const kinds = Map.groupBy(offers, ({ id, document }) => {
    const { calendar_id, capacity, latitude, longitude, rateCard } = document;
    const kin = calendar_id !== id || parents.has(id) ? calendar_id : 0;
    const rates = { ...rateCard, listing: { ...rateCard.listing, id: 0, name: '' } };
    return JSON.stringify([kin, parents.has(id), capacity, latitude, longitude, rates]);
  });
  return [...kinds.values()].flatMap((equal) =>
    equal.sort((one, other) => one.id - other.id).slice(0, mostCombos),
  );
};

const cheapestOfEach = (offers: readonly Offer[], guests: number): Offer[] => {
  if (offers.length <= mostCandidates) return [...offers];
  const byCapacity = Map.groupBy(offers, ({ document }) => Math.min(document.capacity, guests));
  return [...byCapacity.values()]
    .flatMap((equal) => equal.sort(byFullRate).map((offer, rank) => ({ offer, rank })))
    .sort((one, other) => one.rank - other.rank || byFullRate(one.offer, other.offer))
    .slice(0, mostCandidates)
    .map(({ offer }) => offer);
};

const byFullRate = (one: Offer, other: Offer): number =>
  one.document.summary.full_rate - other.document.summary.full_rate || one.id - other.id;

/** Near enough, and neither the other's parent: whoever has the house has its rooms (D26). */
export const canCombine = (one: Offer, other: Offer): boolean =>
  one.document.calendar_id !== other.id &&
  other.document.calendar_id !== one.id &&
  apartKm(one, other) <= farthestKm;

export const apartKm = (one: Offer, other: Offer): number => distanceKm(pointOf(one), pointOf(other));

const pointOf = ({ document: { latitude, longitude } }: Offer): Point => ({
  latitude: latitude ?? 0,
  longitude: longitude ?? 0,
});
