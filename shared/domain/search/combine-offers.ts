import { money, sum, toNumber } from '../../platform/money.ts';
import { divideGuests } from './divide-guests.ts';
import { distanceKm, shownKm } from './grid.ts';
import type { Offer } from './offer.ts';
import { priceText } from './order-offers.ts';
import { type Combo, mostCombos } from './search.schema.ts';
import type { Party } from './search-wish.ts';

const mostListings = 5;
export const farthestKm = 2;
/** Groups that are looked at, at most: the cheapest come first, so what is beyond is dear. */
const mostSteps = 100_000;

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
 */
export const combineOffers = (offers: readonly Offer[], asked: Asked): Group[] => {
  const byCurrency = Map.groupBy(offers, ({ document }) => document.rateCard.listing.currency);
  return [...byCurrency]
    .flatMap(([currency, some]) => new Groups(some, asked).cheapest().map((group) => ({ currency, group })))
    .sort((one, other) =>
      priceText(one.currency, one.group.total) < priceText(other.currency, other.group.total) ? -1 : 1,
    )
    .slice(0, mostCombos)
    .map(({ group }) => group);
};

interface Candidate {
  offer: Offer;
  /** With one guest: no share costs less. */
  least: number;
  /** The most guests of one of the candidates from here on. */
  largest: number;
}

/** Looks for groups from the cheapest listing on, and leaves out what cannot be among the best any more. */
class Groups {
  readonly #candidates: Candidate[];
  readonly #asked: Asked;
  readonly #most: number;
  readonly #best: Group[] = [];
  #steps = 0;

  constructor(offers: readonly Offer[], asked: Asked) {
    const { adults, children, guests } = asked.party;
    const one: Party = { guests: 1, adults: adults && 1, children: children === null ? null : 0 };
    this.#asked = asked;
    this.#most = Math.min(mostListings, adults ?? guests);
    this.#candidates = offers
      .flatMap((offer) => {
        const least = offer.quoteFor(one)?.total;
        return least === undefined || offer.located.km === null ? [] : [{ offer, least, largest: 0 }];
      })
      .sort((left, right) => left.least - right.least || left.offer.id - right.offer.id);
    let largest = 0;
    for (const candidate of this.#candidates.toReversed())
      candidate.largest = largest = Math.max(largest, candidate.offer.document.capacity);
  }

  cheapest(): Group[] {
    this.#extend([], 0, { least: 0, capacity: 0 });
    return this.#best;
  }

  #extend(chosen: readonly Offer[], start: number, sums: { least: number; capacity: number }): void {
    const room = this.#most - chosen.length;
    for (let at = start; at < this.#candidates.length && room > 0; at++) {
      const candidate = this.#candidates[at];
      if (!candidate || ++this.#steps > mostSteps) return;
      const least = sums.least + candidate.least;
      if (this.#isTooDear(least)) return;
      if (sums.capacity + room * candidate.largest < this.#asked.party.guests) return;
      const { offer } = candidate;
      if (!chosen.every((other) => goTogether(offer, other))) continue;
      const group = [...chosen, offer];
      const capacity = sums.capacity + offer.document.capacity;
      if (group.length > 1 && capacity >= this.#asked.party.guests) this.#judge(group);
      this.#extend(group, at + 1, { least, capacity });
    }
  }

  #isTooDear(least: number): boolean {
    return this.#best.length === mostCombos && least > (this.#best.at(-1)?.total ?? Infinity);
  }

  #judge(offers: Offer[]): void {
    const shares = divideGuests(offers, this.#asked.party);
    if (!shares) return;
    const totals = offers.map((offer, position) => {
      const share = shares[position];
      return share ? offer.quoteFor(share)?.total : undefined;
    });
    if (totals.includes(undefined)) return;
    const total = toNumber(sum(totals.map((one) => money(one ?? 0))));
    if (!this.#asked.isAffordable(total) || this.#isTooDear(total)) return;
    const behind = this.#best.findIndex((group) => group.total > total);
    this.#best.splice(behind === -1 ? this.#best.length : behind, 0, { offers, shares, total });
    this.#best.length = Math.min(this.#best.length, mostCombos);
  }
}

/** Near enough, and neither the other's parent: whoever has the house has its rooms (D26). */
const goTogether = (one: Offer, other: Offer): boolean =>
  one.document.calendar_id !== other.id &&
  other.document.calendar_id !== one.id &&
  apartKm(one, other) <= farthestKm;

const apartKm = (one: Offer, other: Offer): number =>
  distanceKm(
    { latitude: one.document.latitude ?? 0, longitude: one.document.longitude ?? 0 },
    { latitude: other.document.latitude ?? 0, longitude: other.document.longitude ?? 0 },
  );

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
