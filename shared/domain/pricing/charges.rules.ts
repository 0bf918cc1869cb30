import type { Issue } from '../../platform/errors.ts';
import { type Amount, isZero, money, roundMoney, sum, toNumber } from '../../platform/money.ts';
import type { ExtraService } from './extra-service.schema.ts';
import type { CheckoutItem, LineKind, QuoteLine } from './quote.schema.ts';
import { extraGuests, type ListingRates, type RateCard } from './rate-card.rules.ts';
import { passedHours, type Stay } from './stay.rules.ts';

/** A summand of the total before rounding; its amount is quantity × unitPrice. */
export interface Line {
  kind: LineKind;
  label: string;
  quantity: number;
  unitPrice: Amount;
  date?: string;
  source: string;
}

export const amountOf = ({ quantity, unitPrice }: Line): Amount =>
  quantity === 1 ? unitPrice : unitPrice.times(quantity);

export const sumOf = (lines: readonly Line[]): Amount => sum(lines.map(amountOf));

/** Drops lines with an amount of 0. */
export const withoutZeroLines = (lines: readonly Line[]): Line[] =>
  lines.filter((line) => line.quantity > 0 && !isZero(line.unitPrice));

export const quoteLine = (line: Line): QuoteLine => ({
  kind: line.kind,
  label: line.label,
  quantity: line.quantity,
  unit_price: toNumber(line.unitPrice),
  amount: toNumber(amountOf(line)),
  ...(line.date === undefined ? {} : { date: line.date }),
  source: line.source,
});

/** Returns what the host earns of a total, after the commission. */
export const earningOf = (total: Amount, rate: number, currency: string): number =>
  toNumber(roundMoney(total.times(money(1).minus(rate)), currency));

/** The fees of a stay, charged once, not by night, in the order of their lines (D39, D41, D42). */
export interface Fees {
  adults: Line;
  children: Line;
  cleaning: Line;
  earlyCheckIn: Line;
  lateCheckOut: Line;
}

type OnceField = 'cleaning_fee' | 'early_check_in_fee' | 'late_check_out_fee';

export const feesOf = (listing: ListingRates, item: CheckoutItem, stay: Stay): Fees => {
  const read = (price: number | null | undefined) => roundMoney(price ?? 0, listing.currency);
  const { early, late } = passedHours(listing, stay, item);
  const once = (kind: LineKind, label: string, source: OnceField, isDue = true): Line => ({
    ...{ kind, label, source },
    quantity: isDue ? 1 : 0,
    unitPrice: read(listing[source]),
  });
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
    cleaning: once('cleaning', 'Cleaning fee', 'cleaning_fee'),
    earlyCheckIn: once('early_check_in', 'Early check-in', 'early_check_in_fee', early),
    lateCheckOut: once('late_check_out', 'Late check-out', 'late_check_out_fee', late),
  };
};

/** A service with how often it is charged. */
export interface ChosenService {
  service: ExtraService;
  quantity: number;
}

const quantityOf = ({ price_unit }: ExtraService, nights: number, guests: number): number => {
  switch (price_unit) {
    case 'per_use':
      return 1;
    case 'per_night':
      return Math.max(1, nights);
    case 'per_person':
      return guests;
  }
};

const offered = ({ listing, services }: RateCard): ExtraService[] =>
  services.filter(({ is_active, listing_id }) => is_active && listing_id === listing.id);

/** Returns an issue for each requested service that the listing does not offer (D40). */
export const serviceIssues = (card: RateCard, item: CheckoutItem): Issue[] => {
  const known = new Set(offered(card).map(({ id }) => id));
  return (item.extra_service_ids ?? []).flatMap((id, position) =>
    known.has(id)
      ? []
      : [
          {
            path: `extra_service_ids[${position}]`,
            message: `${id} is no active extra service of the listing`,
          },
        ],
  );
};

/** Returns every active required service and the requested ones, each once (D40). */
export const chosenServices = (card: RateCard, item: CheckoutItem, nights: number): ChosenService[] =>
  offered(card)
    .filter(({ id, is_required }) => is_required || (item.extra_service_ids ?? []).includes(id))
    .map((service) => ({ service, quantity: quantityOf(service, nights, item.guest_number) }));

export const serviceLine = ({ service, quantity }: ChosenService, currency: string): Line => ({
  kind: 'service',
  label: service.service_name,
  quantity,
  unitPrice: roundMoney(service.price, currency),
  source: `service:${service.id}`,
});
