import type { UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { change, create, lacks, retryOnConflict } from '../../platform/table/index.ts';
import { type Reservation, ReservationEntity, visibleBooking } from '../booking/index.ts';
import { putListing, readListing } from '../listing/index.ts';
import { givenName } from './given-name.ts';
import { presentReview } from './present-review.ts';
import { rated } from './rated.ts';
import { reviewCreated } from './review-created.ts';
import { ReviewEntity, type StoredReview } from './review.entity.ts';
import type { CreateReview, Review } from './review.schema.ts';

/**
 * A guest's review of a stay that is COMPLETED, once (D23). Average and number of reviews of the listing change in the same
 * transaction, so they are right however many come at once; search follows by the event.
 */
export const createReview = (
  ctx: Context<UserCaller>,
  bookingId: number,
  given: CreateReview,
): Promise<Review> =>
  retryOnConflict(async () => {
    const stay = await ownStay(ctx, bookingId);
    const listing = await readListing(ctx.table, stay.listing_id);
    if (!listing) throw new Error(`there is no listing ${stay.listing_id}`);
    const review = newReview(ctx, stay, given);
    const reviewed = rated(listing, review.rating);
    return ctx.commit(
      [
        create(ReviewEntity, review),
        change(
          ReservationEntity,
          stay,
          { set: { review_id: review.review_id } },
          { when: lacks('review_id') },
        ),
        putListing(reviewed),
        reviewCreated(ctx, review, reviewed),
      ],
      presentReview(review),
    );
  });

const newReview = (
  { clock, caller }: Context<UserCaller>,
  { listing_id, team_id, reservation_id }: Reservation,
  { rating, comment }: CreateReview,
): StoredReview => ({
  review_id: newId(clock),
  ...{ listing_id, team_id, reservation_id },
  user_id: caller.user_id,
  guest_name: givenName(caller.full_name, caller.language),
  rating,
  comment: comment || null,
  created_at: instantText(clock.now()),
});

/** The stay that is reviewed: the caller's own, over, and not reviewed yet. */
const ownStay = async (ctx: Context<UserCaller>, bookingId: number): Promise<Reservation> => {
  const { reservations } = await visibleBooking(ctx, bookingId);
  const own = reservations.filter(({ guest }) => guest.user_id === ctx.caller.user_id);
  const [stay] = own;
  if (!stay) throw new ServiceError('FORBIDDEN', 'Only the guest of the stay may review it.');
  if (own.length > 1)
    throw invalid({
      path: 'booking_id',
      message: `names several stays; review each by its own id: ${own.map((one) => one.reservation_id).join(', ')}`,
    });
  if (stay.state !== 'COMPLETED')
    throw new ServiceError('INVALID_STATE_TRANSITION', 'A stay can be reviewed once it is COMPLETED.', {
      state: stay.state,
      allowed_from: ['COMPLETED'],
    });
  if (stay.review_id !== undefined)
    throw new ServiceError('INVALID_STATE_TRANSITION', 'The stay has been reviewed.', {
      review_id: stay.review_id,
    });
  return stay;
};
