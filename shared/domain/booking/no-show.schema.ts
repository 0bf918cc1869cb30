import * as z from 'zod';
import { Money } from '../../platform/schema/schema.ts';

/** What a host says of a guest who did not come (D83). */
export const NoShowRequest = z
  .strictObject({
    refund_amount: Money.optional().meta({
      description:
        'What is refunded, from what the frozen terms say to all that was paid. Default: what they say.',
      example: 0,
    }),
  })
  .meta({ id: 'NoShow' });
