import type { Context } from '../../platform/context.ts';
import { type Condition, type Owner, pageList } from '../../platform/lists/index.ts';
import type { PageOf, PagingQuery } from '../../platform/schema.ts';
import type { Reservation } from './booking.entity.ts';
import type { BookingFilter } from './booking-filter.schema.ts';
import { stayConditions } from './stay-conditions.ts';
import { stayList, type StayRow } from './stay-list.ts';

const columnOf = { created_at: 'id', updated_at: 'updated', check_in: 'check_in' } as const;

/** A page of the bookings of some owners, filtered and sorted; `only` is a further condition, with its name. */
export const pageStays = (
  { table, clock }: Pick<Context, 'table' | 'clock'>,
  owners: readonly Owner[],
  { sort_by = 'created_at', sort_order = 'desc', ...filter }: BookingFilter,
  paging: PagingQuery,
  only?: { name: string; condition: Condition<StayRow> },
): Promise<PageOf<Reservation>> => {
  const query = {
    name: JSON.stringify([asGiven(filter), only?.name]),
    conditions: [...stayConditions(filter), ...(only ? [only.condition] : [])],
    order: { by: columnOf[sort_by], descending: sort_order === 'desc' },
  };
  return pageList({ table, clock }, stayList, owners, query, paging);
};

/** The filter as its own fields in their order, without those of the paging. */
const asGiven = (filter: Omit<BookingFilter, 'sort_by' | 'sort_order'>) => {
  const { state, status, payment_status, listing_id, from, to, updated_since, external_booking_id, q } =
    filter;
  const { check_in_from, check_in_to, check_out_from, check_out_to } = filter;
  return {
    ...{
      state: state ?? status,
      payment_status,
      listing_id,
      from,
      to,
      updated_since,
      external_booking_id,
      q,
    },
    ...{ check_in_from, check_in_to, check_out_from, check_out_to },
  };
};
