import type { Table } from '../../platform/table/index.ts';
import { type PriceParts, PricePartsEntity, pricePartsPlace } from './price-parts.entity.ts';
import { pricePartsRead } from './price-parts.store.ts';

/** Archived listings between those of a page are read too, up to as many. */
const mostPerListing = 2;

/**
 * Returns the price parts of listings of a team, in their order. One Query of the index costs what they weigh; each that is
 * not in it, or not yet, is read by its key for half a read unit. May be seconds old, as the listings of the same index are.
 */
export const readTeamPriceParts = async (
  table: Table,
  teamId: number,
  listingIds: readonly number[],
): Promise<(PriceParts | undefined)[]> => {
  if (listingIds.length === 0) return [];
  const { items } = await table.query(PricePartsEntity, {
    index: 'by_team',
    pk: PricePartsEntity.partition({ team_id: teamId }, 'by_team'),
    from: pricePartsPlace(Math.min(...listingIds)),
    to: pricePartsPlace(Math.max(...listingIds)),
    limit: listingIds.length * mostPerListing,
  });
  const found = new Map(items.map((parts) => [parts.listing_id, parts]));
  const missing = listingIds.filter((id) => !found.has(id));
  const read = await table.getAll(missing.map(pricePartsRead), { consistent: false });
  for (const parts of read) if (parts) found.set(parts.listing_id, parts);
  return listingIds.map((id) => found.get(id));
};
