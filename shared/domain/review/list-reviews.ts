import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import type { PageOf, PagingQuery } from '../../platform/schema.ts';
import { pageThrough } from '../../platform/table/index.ts';
import { readableListing } from '../listing/index.ts';
import { presentReview } from './present-review.ts';
import { reviewsPartition, type StoredReview } from './review.entity.ts';
import type { Review } from './review.schema.ts';

/** Reviews that a page by its number may lie behind: they are read to be left out. */
const mostByNumber = 1000;

/**
 * The reviews of a listing that the caller may read, newest first (D23). `total` is the listing's own figure, so nothing is
 * counted, and `next_cursor` goes on at a cost that does not grow.
 */
export const listReviews = async (
  ctx: Context,
  listingId: number,
  paging: PagingQuery,
): Promise<PageOf<Review>> => {
  if (paging.cursor === undefined && paging.page * paging.limit > mostByNumber)
    throw invalid({
      path: 'page',
      message: `page reaches the first ${mostByNumber} reviews; next_cursor goes on from there`,
    });
  const { id, review_count: total } = await readableListing(ctx, listingId);
  const source = { index: 'by_audience' as const, pk: reviewsPartition(id), descending: true };
  const page = await pageThrough<StoredReview>(ctx.table, source, paging, { total });
  return { ...page, items: page.items.map(presentReview) };
};
