import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { change, lacks, retryOnConflict } from '../../platform/table/index.ts';
import { readListing, requireHosted } from '../listing/index.ts';
import { presentReview } from './present-review.ts';
import { ReviewEntity } from './review.entity.ts';
import type { CreateReply, Review } from './review.schema.ts';

/** The host's answer to a review, once (D90). A review that the caller cannot see does not exist. */
export const replyToReview = (ctx: Context, reviewId: number, { text }: CreateReply): Promise<Review> =>
  retryOnConflict(async () => {
    const review = await ctx.table.get(ReviewEntity, { review_id: reviewId });
    if (!review) throw reviewNotFound();
    requireReviewed(ctx, await readListing(ctx.table, review.listing_id));
    if (review.reply)
      throw new ServiceError('INVALID_STATE_TRANSITION', 'The review has been answered.', {
        replied_at: review.reply.created_at,
      });
    const reply = { text, created_at: instantText(ctx.clock.now()) };
    return ctx.commit(
      [change(ReviewEntity, review, { set: { reply } }, { when: lacks('reply') })],
      presentReview({ ...review, reply }),
    );
  });

const reviewNotFound = (): ServiceError => new ServiceError('NOT_FOUND', 'There is no such review.');

const requireReviewed = (ctx: Context, listing: Parameters<typeof requireHosted>[1]): void => {
  try {
    requireHosted(ctx.caller, listing, 'manage');
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'LISTING_NOT_FOUND') throw reviewNotFound();
    throw error;
  }
};
