import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of prices. */
export const pricingData: Record<string, ClassifiedFields> = {
  PriceParts: {
    none: `combos[].name combos[].start_time combos[].end_time services[].service_name services[].created_at
      rules[].date_from rules[].date_to
      stay_rules.date_rules[].date_from stay_rules.date_rules[].date_to`,
    free: 'services[].description',
  },
  PricePartOwner: {},
};
