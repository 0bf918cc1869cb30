import * as z from 'zod';
import { CreateReply, CreateReview, Review } from '../../shared/domain/listing/review.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import type { Routes } from '../../shared/platform/http/route.ts';
import { pageOf, PagingQuery, PathId } from '../../shared/platform/schema/schema.ts';
import { listingId } from './listing-rows.ts';

const tag = 'Reviews';

const review = {
  id: exampleIds.review,
  listing_id: 4711,
  guest_name: 'An',
  rating: 5,
  comment: 'Nhà sạch, view rừng thông tuyệt đẹp.',
  reply: null,
  created_at: '2027-02-09T02:15:00.000Z',
};
const reply = { text: 'Cảm ơn bạn, hẹn gặp lại!', created_at: '2027-02-09T08:00:00.000Z' };

/** What guests say of their stays, and hosts answer. */
export const reviewRows = {
  createReview: {
    method: 'POST',
    path: '/api/v1/bookings/{booking_id}/review',
    access: 'customer',
    tag,
    summary: 'Reviews a stay that is COMPLETED, once',
    description:
      'By its guest, while signed in; a booking of several stays is reviewed stay by stay. `rating_average` and `review_count` of the listing change with it; search follows within seconds. Others read the guest’s given name alone.',
    params: z.strictObject({ booking_id: PathId }),
    body: CreateReview,
    status: 201,
    reply: Review,
    errors: ['BOOKING_NOT_FOUND', 'FORBIDDEN', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: {
      params: { booking_id: exampleIds.toReview },
      body: { rating: 5, comment: review.comment },
      reply: review,
    },
  },
  listReviews: {
    method: 'GET',
    path: '/api/v1/listings/{listing_id}/reviews',
    access: 'customer',
    objective: 'search',
    tag,
    summary: 'The reviews of a listing, newest first',
    description:
      '`total` is the listing’s `review_count`, always exact. `page` reaches the first 1,000 reviews; `next_cursor` goes on from there.',
    params: listingId,
    query: PagingQuery,
    status: 200,
    reply: pageOf(Review),
    errors: ['LISTING_NOT_FOUND'],
    examples: {
      reply: {
        items: [{ ...review, reply }],
        total: 1,
        total_is_exact: true,
        page: 1,
        limit: 20,
        total_pages: 1,
        next_cursor: null,
      },
    },
  },
  replyToReview: {
    method: 'POST',
    path: '/api/v1/reviews/{review_id}/reply',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Answers a review of an own listing, once',
    description: 'By an OWNER or MANAGER of its team: the answer is public, and speaks for the host.',
    params: z.strictObject({ review_id: PathId }),
    body: CreateReply,
    status: 201,
    reply: Review,
    errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: { body: { text: reply.text }, reply: { ...review, reply } },
  },
} as const satisfies Routes;
