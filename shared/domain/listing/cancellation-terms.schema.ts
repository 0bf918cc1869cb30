import * as z from 'zod';
import { Percent } from '../../platform/schema/schema.ts';

/** What a cancellation by the guest refunds until so many hours before check-in; after the last step nothing (D87). */
export const CancellationTerms = z.array(
  z.object({ until_hours_before: z.int().min(0), refund_percent: Percent }).meta({ id: 'CancellationTerm' }),
);
export type CancellationTerms = z.infer<typeof CancellationTerms>;
