import * as z from 'zod';
import { CurrencyCode, Id, Instant, Money } from '../../platform/schema/schema.ts';

/** A page on which what is due of a booking can be paid (D127). */
export const DuePage = z
  .object({
    payment_id: Id,
    payment_url: z.string().meta({ description: 'Where the guest pays; it is mailed to the guest too.' }),
    payment_expires_at: Instant,
    amount: Money,
    currency: CurrencyCode,
  })
  .meta({ id: 'PaymentPage' });
export type DuePage = z.infer<typeof DuePage>;

export const duePageExample: DuePage = {
  payment_id: 369_435_906_933_520,
  payment_url: 'https://checkout.stripe.com/c/pay/cs_live_a1B2',
  payment_expires_at: '2027-02-05T08:00:00.000Z',
  amount: 3_200_000,
  currency: 'VND',
};
