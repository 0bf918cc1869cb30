import * as z from 'zod';

/** When the balance of a payment plan is due (D129). */
export const BalanceDue = z
  .union([
    z.literal('ON_ARRIVAL'),
    z.strictObject({ hours_before: z.int().min(24).max(8760) }).meta({ id: 'HoursBeforeCheckIn' }),
  ])
  .meta({
    id: 'BalanceDue',
    description:
      'When the balance is due: so many hours before check-in, where a booking that is still unpaid 12 hours later is cancelled by its cancellation terms; or ON_ARRIVAL. A booking made later than that is due at once.',
    examples: [{ hours_before: 72 }],
  });
