import * as z from 'zod';
import { defineEvent } from '../../platform/events/event-row.ts';
import { Id } from '../../platform/schema/schema.ts';
import { Rating } from './review.schema.ts';

const Reviewed = z.object({
  id: Id.meta({ description: 'The review.' }),
  listing_id: Id,
  booking_id: Id,
  rating: Rating,
  comment: z.string().nullable(),
  rating_average: z.number().meta({ description: 'Of the listing, with this review.' }),
  review_count: z.int().meta({ description: 'Of the listing, with this review.' }),
});

export const reviewEvents = {
  'review.created': defineEvent({
    meaning: 'A guest has reviewed a stay.',
    data: Reviewed,
    partners: Reviewed,
    example: {
      id: 369_435_906_933_101,
      listing_id: 4711,
      booking_id: 17_402_345_678_913,
      rating: 5,
      comment: 'Sạch sẽ, view đẹp.',
      rating_average: 4.85,
      review_count: 13,
    },
  }),
} as const;
