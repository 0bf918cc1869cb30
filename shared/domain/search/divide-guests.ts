import type { Offer } from './offer.ts';
import type { Party } from './search-wish.ts';

/** What a listing costs with some of the guests; Infinity where it takes them not. */
export type TotalOf = (offer: Offer, party: Party) => number;

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
