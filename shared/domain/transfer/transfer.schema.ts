import * as z from 'zod';
import { CurrencyCode, Instant, Money } from '../../platform/schema/schema.ts';

/** How what is due of a booking is paid by bank transfer (D130). */
export const Transfer = z
  .object({
    bank: z.string(),
    bank_bin: z.string(),
    account_number: z.string(),
    account_name: z.string(),
    amount: Money,
    currency: CurrencyCode,
    reference: z.string().meta({
      description: 'To be written into the text of the transfer, by which it is matched with the booking.',
    }),
    qr_text: z.string().nullable().meta({
      description: 'The text of a VietQR code with all of this; null in other currencies than VND.',
    }),
    expires_at: Instant.nullable().meta({
      description: 'Until when it has to arrive; null: the booking is not cancelled for want of it.',
    }),
  })
  .meta({ id: 'Transfer' });
export type Transfer = z.infer<typeof Transfer>;
