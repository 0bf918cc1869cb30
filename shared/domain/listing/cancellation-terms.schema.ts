import * as z from 'zod';
import { Percent } from '../../platform/schema/schema.ts';

/** What a cancellation by the guest refunds until so many hours before check-in; after the last step nothing (D128). */
export const CancellationTerms = z.array(
  z
    .object({
      until_hours_before: z.int().min(0),
      refund_percent: Percent,
      keep_nights: z.int().min(0).default(0).meta({
        description: 'Not refunded; `refund_percent` is of the price without these first nights.',
      }),
    })
    .meta({ id: 'CancellationTerm' }),
);
export type CancellationTerms = z.infer<typeof CancellationTerms>;
