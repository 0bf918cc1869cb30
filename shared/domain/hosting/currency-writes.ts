import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { absent, equals, conditionCheck, type Write } from '../../platform/table/index.ts';
import type { Listing } from '../listing/index.ts';
import { PricePartsEntity } from '../pricing/index.ts';

/**
 * What has to hold when a listing changes its currency: no combo, extra service or pricing rule stands, for its amounts would
 * silently mean other money. Bookings and held quotes carry their own currency and do not mind.
 */
export const currencyWrites = async ({ table }: Context, { id }: Listing): Promise<Write[]> => {
  const parts = await table.get(PricePartsEntity, { listing_id: id });
  if (parts && [parts.combos, parts.services, parts.rules].some(({ length }) => length > 0))
    throw invalid({
      path: 'currency',
      message: 'cannot change while the listing has combos, extra services or pricing rules',
    });
  return [
    conditionCheck(PricePartsEntity, { listing_id: id }, {
      when: parts ? equals('version', parts.version) : absent(),
    }),
  ];
};
