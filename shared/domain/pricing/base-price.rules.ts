import { type Amount, isZero, money, roundMoney } from '../../platform/money.ts';
import { datesBetween } from '../../platform/time/time.ts';
import type { Line } from './charges.rules.ts';
import { minHours, nightRates, ruleFinder } from './night-rate.rules.ts';
import type { ChargeUnit, PricingRule } from './price-part.schema.ts';
import type { RateCard } from './rate-card.rules.ts';
import type { Stay } from './stay.rules.ts';

/** Nights from which a monthly price applies. */
export const monthNights = 30;

const stayLevelUnits = (stay: Stay): ChargeUnit[] => {
  if (stay.pricingType === 'hourly') return ['PER_BOOKING', 'PACKAGE', 'PER_HOUR'];
  return stay.nights >= monthNights ? ['PER_BOOKING', 'PACKAGE', 'PER_MONTH'] : ['PER_BOOKING', 'PACKAGE'];
};

/** Returns the strongest rule for the whole stay, matched on the check-in date (D35). */
export const stayRule = ({ rules }: RateCard, stay: Stay): PricingRule | undefined =>
  stay.pricingType === 'combo'
    ? undefined
    : ruleFinder(rules, stayLevelUnits(stay), stay.stayType)(stay.checkInDate);

/** Whether a rule is one price for the whole stay. */
export const isFlat = ({ charge_unit }: PricingRule): boolean =>
  charge_unit === 'PER_BOOKING' || charge_unit === 'PACKAGE';

type Read = (price: number | null | undefined) => Amount;

const comboLines = ({ combo, nights }: Stay, read: Read): Line[] =>
  combo === null
    ? []
    : [
        {
          kind: 'combo',
          label: combo.name,
          quantity: Math.max(1, nights),
          unitPrice: read(Math.max(combo.original_price, combo.discounted_price)),
          source: `combo:${combo.id}`,
        },
      ];

const nightLines = (card: RateCard, stay: Stay, read: Read): Line[] => {
  const rateOn = nightRates(card, 'OVERNIGHT');
  return datesBetween(stay.checkInDate, stay.checkOutDate).map((date) => {
    const { price, source } = rateOn(date);
    return { kind: 'night', label: `Night of ${date}`, quantity: 1, unitPrice: read(price), date, source };
  });
};

/** The price of the date times `price_rate_in_day`; below 1 it counts as unset (D36). */
const dayLines = (card: RateCard, stay: Stay): Line[] => {
  const date = stay.checkInDate;
  const { price, source } = nightRates(card, 'DAY')(date);
  const factor = Math.max(1, card.listing.price_rate_in_day ?? 1);
  const unitPrice = roundMoney(money(price).times(factor), card.listing.currency);
  return [{ kind: 'day', label: `Day use on ${date}`, quantity: 1, unitPrice, date, source }];
};

const hourLines = ({ listing }: RateCard, stay: Stay, rule: PricingRule | undefined, read: Read): Line[] => {
  const hours = stay.hours ?? 0;
  const date = stay.checkInDate;
  const allHours = { kind: 'hours', label: `${hours} hours`, quantity: hours, date } as const;
  if (rule) return [{ ...allHours, unitPrice: read(rule.price), source: `rule:${rule.id}` }];
  const first = read(listing.price_first_hours);
  const perHour = read(listing.price_per_hour);
  if (isZero(first) && perHour.gt(0)) return [{ ...allHours, unitPrice: perHour, source: 'price_per_hour' }];
  const least = minHours(listing);
  const firstHours = { quantity: 1, unitPrice: first, source: 'price_first_hours' };
  const extraHours = {
    quantity: hours - least,
    unitPrice: read(listing.extra_hour_price),
    source: 'extra_hour_price',
  };
  return [
    { ...allHours, label: `First ${least} hours`, ...firstHours },
    ...(hours > least ? [{ ...allHours, label: 'Extra hours', ...extraHours }] : []),
  ];
};

/** Returns the lines of `base_price`: nights, the day, hours, a flat rule or a combo at its original price (D34–D37). */
export const baseLines = (card: RateCard, stay: Stay, rule: PricingRule | undefined): Line[] => {
  const read: Read = (price) => roundMoney(price ?? 0, card.listing.currency);
  if (rule && isFlat(rule)) {
    const source = `rule:${rule.id}`;
    return [
      { kind: 'package', label: 'Price of the stay', quantity: 1, unitPrice: read(rule.price), source },
    ];
  }
  switch (stay.pricingType) {
    case 'combo':
      return comboLines(stay, read);
    case 'hourly':
      return hourLines(card, stay, rule, read);
    case 'daily':
      return dayLines(card, stay);
    case 'nightly':
    case 'night_short':
      return nightLines(card, stay, read);
  }
};
