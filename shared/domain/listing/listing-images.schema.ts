import * as z from 'zod';
import { WebAddress } from '../../platform/schema/schema.ts';

const imageInputs = z
  .array(
    z
      .strictObject({
        url: WebAddress,
        order: z.int().min(0).max(10_000).optional().meta({ description: 'Absent: as in the array.' }),
      })
      .meta({ id: 'ListingImageInput' }),
  )
  .max(50);

/** All images of a listing (D22); a bare array is accepted too. */
export const ListingImages = z
  .preprocess(
    (value) => (Array.isArray(value) ? { images: value } : value),
    z.strictObject({ images: imageInputs }),
  )
  .meta({ id: 'ReplaceImages' });
export type ListingImages = z.infer<typeof ListingImages>;
