import * as z from 'zod';
import { Id, Instant } from '../../platform/schema/schema.ts';

const text = z.string().trim().max(2000);

export const Rating = z
  .int()
  .min(1)
  .max(5)
  .meta({ description: '1 (worst) to 5 (best).', examples: [5] });

/** A guest's review of a stay (D23). */
export const CreateReview = z
  .strictObject({
    rating: Rating,
    comment: text.nullish().meta({ description: 'At most 2,000 characters.' }),
  })
  .meta({ id: 'CreateReview' });
export type CreateReview = z.infer<typeof CreateReview>;

/** The host's reply (D90). */
export const CreateReply = z
  .strictObject({
    text: text.min(1).meta({ description: '1 to 2,000 characters.' }),
  })
  .meta({ id: 'CreateReply' });
export type CreateReply = z.infer<typeof CreateReply>;

/** A review as published. */
export const Review = z
  .object({
    id: Id,
    listing_id: Id,
    guest_name: z
      .string()
      .nullable()
      .meta({
        description:
          'The given name of the guest, as the account had it when the review was written; null where it has none.',
        examples: ['An'],
      }),
    rating: Rating,
    comment: z.string().nullable(),
    reply: z.object({ text: z.string(), created_at: Instant }).meta({ id: 'ReviewReply' }).nullable().meta({
      description: "The host's reply; null while there is none.",
    }),
    created_at: Instant,
  })
  .meta({ id: 'Review' });
export type Review = z.infer<typeof Review>;
