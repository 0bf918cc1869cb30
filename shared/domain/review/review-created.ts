import type { Context } from '../../platform/context.ts';
import { recordEvent } from '../../record-event.ts';
import type { Write } from '../../platform/table/index.ts';
import type { rated } from './rated.ts';
import { reviewPartition, type StoredReview } from './review.entity.ts';

/** The event of a new review, with the figures of its listing from then on (D61). */
export const reviewCreated = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  { review_id, reservation_id, listing_id, team_id, rating, comment }: StoredReview,
  { rating_average, review_count }: ReturnType<typeof rated>,
): Write =>
  recordEvent(ctx, {
    subject: reviewPartition(review_id),
    event_type: 'review.created',
    team_id,
    data: {
      id: review_id,
      booking_id: reservation_id,
      ...{ listing_id, rating, comment, rating_average, review_count },
    },
  });
