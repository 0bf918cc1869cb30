import * as z from 'zod';

/** By what a partner sorts listings (spec 4.5); by `created_at` at any depth, by others up to 5,000 listings. */
export const ListingOrder = z
  .enum([
    'created_at',
    'updated_at',
    'name',
    'full_rate',
    'minimum_rate',
    'capacity',
    'rating_average',
    'review_count',
  ])
  .meta({
    description:
      'By `created_at` at the same cost at any depth; by any other field when at most 5,000 listings match. Names regardless of case and diacritics; listings without a rating count as 0.',
  });
export type ListingOrder = z.infer<typeof ListingOrder>;
