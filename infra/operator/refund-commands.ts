import * as z from 'zod';
import { repeatRefund, confirmRefund } from '../../shared/domain/payment/index.ts';
import { defineCommand } from './command.ts';
import { wholeNumber } from './fields.ts';

const input = z.strictObject({
  payment: wholeNumber(z.int().min(1)).describe('<id> of the payment, as the log names it'),
  refund: z.string().min(1).describe('<id> of the refund, as the log names it'),
});

/** Commands for refunds whose outcome the gateway does not report, or which it reports as failed. */
export const refundCommands = {
  done: defineCommand({
    summary:
      "Closes an UNSURE refund that the gateway's console shows as made, or a FAILED one whose money you have sent",
    changes: true,
    input,
    run: ({ deps }, { payment, refund }) => confirmRefund(deps, { payment_id: payment, refund_id: refund }),
  }),
  again: defineCommand({
    summary: "Has an UNSURE refund asked for again: the gateway's console does not show it",
    changes: true,
    input,
    run: ({ deps }, { payment, refund }) => repeatRefund(deps, { payment_id: payment, refund_id: refund }),
  }),
};
