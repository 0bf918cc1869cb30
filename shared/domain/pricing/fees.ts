import { roundMoney } from '../../platform/money.ts';
import { extraGuests } from './guests.ts';
import type { Line } from './lines.ts';
import type { CheckoutItem } from './quote.schema.ts';
import type { ListingRates } from './rate-card.ts';

/** The fees of a stay, each once and not a night: extra guests, children, cleaning (D39, D41). */
export interface Fees {
  adults: Line;
  children: Line;
  cleaning: Line;
}

export const feesOf = (listing: ListingRates, item: CheckoutItem): Fees => {
  const read = (price: number | null | undefined) => roundMoney(price ?? 0, listing.currency);
  return {
    adults: {
      kind: 'extra_adults',
      label: 'Extra guests',
      quantity: extraGuests(listing, item),
      unitPrice: read(listing.extra_adult_rate),
      source: 'extra_adult_rate',
    },
    children: {
      kind: 'extra_children',
      label: 'Children',
      quantity: item.children_number ?? 0,
      unitPrice: read(listing.extra_child_rate),
      source: 'extra_child_rate',
    },
    cleaning: {
      kind: 'cleaning',
      label: 'Cleaning fee',
      quantity: 1,
      unitPrice: read(listing.cleaning_fee),
      source: 'cleaning_fee',
    },
  };
};
