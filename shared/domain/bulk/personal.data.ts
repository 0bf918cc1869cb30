import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

const ranges = (path: string): string => `${path}.date_from ${path}.date_to`;

/** The classes of the texts of bulk changes. */
export const bulkData: Record<string, ClassifiedFields> = {
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
