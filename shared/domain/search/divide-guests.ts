import type { Offer } from './offer.ts';
import type { Party } from './search-wish.ts';

/** What a listing costs with some of the guests. */
const totalOf = (offer: Offer, party: Party): number => offer.quoteFor(party)?.total ?? Infinity;

const adultsOnly = (guests: number, party: Party): Party => ({
  guests,
  adults: party.adults === null ? null : guests,
  children: party.children === null ? null : 0,
});

/**
 * Who lodges where, when several listings share the guests: one grown-up in each, everybody else where one guest more costs
 * least, then the children where a child costs least. Null when there are too few grown-ups or places.
 */
export const divideGuests = (offers: readonly Offer[], party: Party): Party[] | null => {
  const places = offers.reduce((sum, { document }) => sum + document.capacity, 0);
  if (offers.length > (party.adults ?? party.guests) || places < party.guests) return null;
  const shares = offers.map(() => 1);
  for (let left = party.guests - offers.length; left > 0; left--) {
    const cheapest = cheapestOf(offers, (offer, position) => {
      const guests = shares[position] ?? 0;
      if (guests >= offer.document.capacity) return Infinity;
      return totalOf(offer, adultsOnly(guests + 1, party)) - totalOf(offer, adultsOnly(guests, party));
    });
    shares[cheapest] = (shares[cheapest] ?? 0) + 1;
  }
  return withChildren(
    offers,
    shares.map((guests) => adultsOnly(guests, party)),
    party.children ?? 0,
  );
};

const withChildren = (offers: readonly Offer[], shares: readonly Party[], children: number): Party[] => {
  const divided = shares.map((share) => ({ ...share }));
  for (let left = children; left > 0; left--) {
    const cheapest = cheapestOf(offers, (offer, position) => {
      const share = divided[position];
      if (!share || (share.adults ?? 0) < 2) return Infinity;
      return totalOf(offer, withChild(share)) - totalOf(offer, share);
    });
    const share = divided[cheapest];
    if (share) divided[cheapest] = withChild(share);
  }
  return divided;
};

/** One of the grown-ups of a share is a child. */
const withChild = (share: Party): Party => ({
  ...share,
  adults: (share.adults ?? 0) - 1,
  children: (share.children ?? 0) + 1,
});

/** Of equal ones the older listing, so that the order they are named in changes nothing. */
const cheapestOf = (offers: readonly Offer[], costOf: (offer: Offer, position: number) => number): number => {
  const costs = offers.map((offer, position) => ({ position, id: offer.id, cost: costOf(offer, position) }));
  const [cheapest] = costs.sort(
    (one, other) => Number(one.cost > other.cost) - Number(one.cost < other.cost) || one.id - other.id,
  );
  return cheapest?.position ?? 0;
};
