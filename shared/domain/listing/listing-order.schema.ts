import * as z from 'zod';

/** By what a partner sorts listings. */
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
      'Names regardless of case and diacritics; amounts as numbers, whatever the currency; listings without a rating count as 0.',
  });
export type ListingOrder = z.infer<typeof ListingOrder>;
