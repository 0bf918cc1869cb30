import * as z from 'zod';

export const ListingState = z
  .enum(['DRAFT', 'ACTIVE', 'INACTIVE', 'ARCHIVED'])
  .meta({ description: 'State of a listing.' });
export type ListingState = z.infer<typeof ListingState>;
