import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

const ranges = (path: string): string => `${path}.date_from ${path}.date_to`;

/** The classes of the texts of prices and of bulk changes. */
export const pricingData: Record<string, ClassifiedFields> = {
  PriceParts: {
    none: `combos[].name combos[].start_time combos[].end_time services[].service_name services[].created_at
      rules[].date_from rules[].date_to
      stay_rules.date_rules[].date_from stay_rules.date_rules[].date_to`,
    free: 'services[].description',
  },
  PricePartOwner: {},
  BulkChange: { none: 'actor undone_at' },
  BulkResult: {
    none: `prices.currency ${ranges('prices.ranges[]')} ${ranges('prices.was[]')}
      ${ranges('blocks.ranges[]')} blocks.ranges[].before blocks.ranges[].after
      blocks.made[].start_at blocks.made[].end_at blocks.freed[].start_at blocks.freed[].end_at
      ${ranges('undone.prices[]')} ${ranges('undone.blocks[]')} undone.blocks[].before undone.blocks[].after
      ${ranges('undone.kept[]')}`,
    free: 'blocks.freed[].note',
  },
};
