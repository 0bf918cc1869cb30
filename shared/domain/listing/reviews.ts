import type { GuestCaller, PublishableCaller, UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { writtenLanguage } from '../../platform/text/language.ts';
import type { PageOf, PagingQuery } from '../../platform/schema/schema.ts';
import {
  all,
  change,
  create,
  equals,
  lacks,
  paginate,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { isGuestOf, visibleBooking } from '../booking/index.ts';
import { type Reservation, ReservationEntity, reviewRefusal } from '../booking/model.ts';
import { readableListing, requireOfPage } from './listing-access.ts';
import { type Listing, putListing, readListing, requireHosted } from './model.ts';
import type { CreateReply, CreateReview, Review } from './review.schema.ts';
import { ReviewEntity, reviewPartition, reviewsPartition, type StoredReview } from './review.store.ts';

/** Letters and what occurs within names; a full name may also be an e-mail address or a telephone number. */
const namePattern = /^[\p{L}\p{M}][\p{L}\p{M}'’.-]*$/u;

/**
 * Returns the part of a full name that is published: the last word in Vietnamese, else the first; null if it is not a
 * name.
 */
export const givenName = (fullName: string, language: string): string | null => {
  const words = fullName.trim().split(/\s+/);
  const word = words.at(writtenLanguage(language) === 'vi' ? -1 : 0) ?? '';
  return namePattern.test(word) ? word : null;
};

/** Returns a review as published: with the given name only, and without the booking. */
const presentReview = (review: StoredReview): Review => ({
  id: review.review_id,
  listing_id: review.listing_id,
  guest_name: review.guest_name,
  rating: review.rating,
  comment: review.comment,
  reply: review.reply ?? null,
  created_at: review.created_at,
});

/** Returns the listing with one more review. The average is rounded to two decimals, the sum is exact. */
export const withRating = (listing: Listing, rating: number): Listing & { rating_average: number } => {
  const before = listing.rating_sum ?? Math.round((listing.rating_average ?? 0) * listing.review_count);
  const ratingSum = before + rating;
  const reviewCount = listing.review_count + 1;
  return {
    ...listing,
    rating_sum: ratingSum,
    review_count: reviewCount,
    rating_average: Math.round((ratingSum / reviewCount) * 100) / 100,
  };
};

/** Returns the event of a new review, with the new figures of its listing (D61). */
const reviewCreated = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  { review_id, reservation_id, listing_id, team_id, rating, comment }: StoredReview,
  { rating_average, review_count }: ReturnType<typeof withRating>,
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

/**
 * Creates a guest's review of a COMPLETED stay, once (D23). Average and number of reviews of the listing change in the
 * same transaction; search follows by the event.
 */
export const createReview = (
  ctx: Context<UserCaller | GuestCaller>,
  bookingId: number,
  input: CreateReview,
): Promise<Review> =>
  retryOnConflict(async () => {
    const stay = await ownStay(ctx, bookingId);
    const listing = await readListing(ctx.table, stay.listing_id);
    if (!listing) throw new Error(`the listing ${stay.listing_id} does not exist`);
    const review = newReview(ctx, stay, input);
    const reviewed = withRating(listing, review.rating);
    return ctx.commit(
      [
        create(ReviewEntity, review),
        change(
          ReservationEntity,
          stay,
          { set: { review_id: review.review_id } },
          // A stay without check-in may have become NO_SHOW meanwhile.
          { when: all(equals('state', 'COMPLETED'), lacks('review_id')) },
        ),
        putListing(reviewed),
        reviewCreated(ctx, review, reviewed),
      ],
      presentReview(review),
    );
  });

const newReview = (
  { clock, caller }: Context<UserCaller | GuestCaller>,
  { listing_id, team_id, reservation_id, guest }: Reservation,
  { rating, comment }: CreateReview,
): StoredReview => ({
  review_id: newId(clock),
  ...{ listing_id, team_id, reservation_id },
  user_id: guest.user_id,
  guest_name:
    caller.kind === 'user'
      ? givenName(caller.full_name, caller.language)
      : givenName(guest.full_name, guest.language),
  rating,
  comment: comment || null,
  created_at: instantText(clock.now()),
});

/** Returns the caller's own completed stay without a review. Who has the link from the host may be the host (D122). */
const ownStay = async (ctx: Context<UserCaller | GuestCaller>, bookingId: number): Promise<Reservation> => {
  const { reservations } = await visibleBooking(ctx, bookingId);
  const refusal = reviewRefusal(ctx.caller, reservations);
  if (refusal) throw refusal;
  const stay = reservations.find((one) => isGuestOf(ctx, one));
  if (!stay) throw new Error(`the caller is not the guest of ${bookingId}`);
  return stay;
};

/** The most reviews that a page number may reach, since those before it must be read. */
const maxByPageNumber = 1000;

/**
 * Returns the reviews of a listing that the caller may read, newest first (D23). `total` is stored in the listing, and a
 * page by `next_cursor` costs the same at any depth.
 */
export const listReviews = (ctx: Context, listingId: number, paging: PagingQuery): Promise<PageOf<Review>> =>
  pageReviews(ctx, paging, () => readableListing(ctx, listingId));

/** Returns the same of a home of the page's team (D144). */
export const listStayReviews = (
  ctx: Context<PublishableCaller>,
  listingId: number,
  paging: PagingQuery,
): Promise<PageOf<Review>> =>
  pageReviews(ctx, paging, async () => requireOfPage(ctx.caller, await readListing(ctx.table, listingId)));

const pageReviews = async (
  ctx: Context,
  paging: PagingQuery,
  find: () => Promise<Listing>,
): Promise<PageOf<Review>> => {
  if (paging.cursor === undefined && paging.page * paging.limit > maxByPageNumber)
    throw invalid({
      path: 'page',
      message: `can reach the first ${maxByPageNumber} reviews; use next_cursor beyond them`,
    });
  const { id, review_count: total } = await find();
  const source = { index: 'by_audience' as const, pk: reviewsPartition(id), descending: true };
  const page = await paginate(ctx.table, ReviewEntity, source, paging, { total });
  return { ...page, items: page.items.map(presentReview) };
};

/** Adds the host's reply to a review, once (D90). A review that the caller cannot see is not found. */
export const replyToReview = (ctx: Context, reviewId: number, { text }: CreateReply): Promise<Review> =>
  retryOnConflict(async () => {
    const review = await ctx.table.get(ReviewEntity, { review_id: reviewId });
    if (!review) throw reviewNotFound();
    requireReviewHost(ctx, await readListing(ctx.table, review.listing_id));
    if (review.reply)
      throw new ServiceError('INVALID_STATE_TRANSITION', 'The review already has a reply.', {
        replied_at: review.reply.created_at,
      });
    const reply = { text, created_at: instantText(ctx.clock.now()) };
    return ctx.commit(
      [change(ReviewEntity, review, { set: { reply } }, { when: lacks('reply') })],
      presentReview({ ...review, reply }),
    );
  });

const reviewNotFound = (): ServiceError => new ServiceError('NOT_FOUND', 'There is no such review.');

const requireReviewHost = (ctx: Context, listing: Parameters<typeof requireHosted>[1]): void => {
  try {
    requireHosted(ctx.caller, listing, 'manage');
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'LISTING_NOT_FOUND') throw reviewNotFound();
    throw error;
  }
};
