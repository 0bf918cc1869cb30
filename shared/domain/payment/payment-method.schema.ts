import * as z from 'zod';

export const PaymentMethod = z.enum(['CASH', 'BANK_TRANSFER', 'ONLINE_GATEWAY']).meta({
  id: 'PaymentMethod',
  description: 'CASH (on site), BANK_TRANSFER, or ONLINE_GATEWAY: through the payment gateway.',
  example: 'CASH',
});
export type PaymentMethod = z.infer<typeof PaymentMethod>;
