import { weekday } from '../../platform/time.ts';
import type { ChargeUnit, DateType, PricingRule } from './pricing-rule.schema.ts';
import type { StayType } from './rate-card.ts';

const narrowness: Record<DateType, number> = { SPECIFIC_DATE: 3, DATE_RANGE: 2, WEEKDAY: 1, ALWAYS: 0 };

/** The stronger rule first: priority, then the narrower date type, then the newer one; ids grow with time (D34, D2). */
const byStrength = (one: PricingRule, other: PricingRule): number =>
  other.priority - one.priority ||
  narrowness[other.date_type] - narrowness[one.date_type] ||
  other.id - one.id;

const coversDate = (rule: PricingRule, date: string): boolean => {
  switch (rule.date_type) {
    case 'ALWAYS':
      return true;
    case 'WEEKDAY':
      return rule.day_of_week === weekday(date);
    case 'SPECIFIC_DATE':
      return rule.date_from === date;
    case 'DATE_RANGE':
      return (
        rule.date_from !== null && rule.date_to !== null && rule.date_from <= date && date <= rule.date_to
      );
  }
};

/** Finds for any date the strongest active rule of the given charge units and stay type (D34, D35). */
export const ruleFinder = (
  rules: readonly PricingRule[],
  units: readonly ChargeUnit[],
  stayType: StayType,
): ((date: string) => PricingRule | undefined) => {
  const ranked = rules
    .filter(({ is_active }) => is_active)
    .filter(({ charge_unit }) => units.includes(charge_unit))
    .filter(({ stay_type }) => stay_type === 'ANY' || stay_type === stayType)
    .sort(byStrength);
  return (date) => ranked.find((rule) => coversDate(rule, date));
};
