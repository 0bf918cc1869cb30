import { foldText } from '../../platform/fold-text.ts';
import type { Context } from '../../platform/context.ts';
import { type Condition, type Owner, pageList } from '../../platform/lists/index.ts';
import type { PageOf, PagingQuery } from '../../platform/schema.ts';
import type { Listing } from './listing.entity.ts';
import { listingList, type ListingRow } from './listing-list.ts';
import type { ListingOrder } from './listing-order.schema.ts';
import type { ListingState } from './listing.schema.ts';
import { sameProvince } from './provinces.ts';

/** What is asked of each listing of a list. */
export interface ListingFilter {
  states: readonly ListingState[];
  country_code?: string | undefined;
  /** Any of the codes of the province. */
  province_code?: string | undefined;
  /** Part of the name; diacritics and case do not matter. */
  search?: string | undefined;
}

const columnOf = {
  ...{ created_at: 'id', updated_at: 'updated', name: 'name', full_rate: 'full_rate' },
  ...{
    minimum_rate: 'minimum_rate',
    capacity: 'capacity',
    rating_average: 'rating',
    review_count: 'reviews',
  },
} as const satisfies Record<ListingOrder, keyof ListingRow>;

/** A page of the listings of some owners, filtered and sorted. */
export const pageListings = (
  { table, clock }: Pick<Context, 'table' | 'clock'>,
  owners: readonly Owner[],
  filter: ListingFilter,
  { sort_by, sort_order }: { sort_by: ListingOrder; sort_order: 'asc' | 'desc' },
  paging: PagingQuery,
): Promise<PageOf<Listing>> => {
  const { states, country_code, province_code, search } = filter;
  const asked: Asked = {
    states,
    country: country_code?.toUpperCase(),
    provinces: province_code === undefined ? undefined : sameProvince(province_code),
    part: foldText(search ?? ''),
  };
  const query = {
    name: JSON.stringify(asked),
    conditions: conditionsOf(asked),
    order: { by: columnOf[sort_by], descending: sort_order === 'desc' },
  };
  return pageList({ table, clock }, listingList, owners, query, paging);
};

interface Asked {
  states: readonly ListingState[];
  country: string | undefined;
  provinces: readonly string[] | undefined;
  part: string;
}

const conditionsOf = ({ states, country, provinces, part }: Asked): Condition<ListingRow>[] => {
  const conditions: Condition<ListingRow>[] = [
    { columns: ['state'], test: ({ state }) => states.includes(state) },
  ];
  if (country !== undefined)
    conditions.push({ columns: ['country'], test: (row) => row.country === country });
  if (provinces !== undefined)
    conditions.push({ columns: ['province'], test: ({ province }) => provinces.includes(province) });
  if (part !== '') conditions.push({ columns: ['name'], test: ({ name }) => name.includes(part) });
  return conditions;
};
