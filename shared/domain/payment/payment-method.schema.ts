import * as z from 'zod';

/** How a guest may be asked to pay. */
export const payableMethods = ['CASH', 'BANK_TRANSFER', 'ONLINE_GATEWAY'] as const;

export const PaymentMethod = z.enum([...payableMethods, 'PLATFORM']).meta({
  id: 'PaymentMethod',
  description:
    'CASH (on site), BANK_TRANSFER, or ONLINE_GATEWAY: through the payment gateway. PLATFORM, in answers: another platform.',
  example: 'CASH',
});
export type PaymentMethod = z.infer<typeof PaymentMethod>;
