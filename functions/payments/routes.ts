import * as z from 'zod';
import { ReportProvider } from '../../shared/domain/transfer/bank-transfer.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { PathId } from '../../shared/platform/schema/schema.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';

const params = z.strictObject({
  provider: z.string().max(32).meta({ description: 'The gateway of this deployment.' }),
});

/** The answer that VNPay expects (its IPN documentation). */
export const VnpayAnswer = z
  .object({
    RspCode: z.enum(['00', '01', '02', '04', '97', '99']).meta({
      description:
        '00 taken, 01 unknown payment, 02 repeated, 04 wrong amount, 97 wrong signature, 99 try again.',
    }),
    Message: z.string(),
  })
  .meta({ id: 'VnpayAnswer' });

/** Where payment gateways report (D47). */
export const paymentsRoutes = defineRoutes('payments', {
  handlePaymentWebhook: {
    method: 'POST',
    path: '/api/v1/payments/webhook/{provider}',
    access: 'public',
    tag: 'Payments',
    summary: 'A payment gateway reports a payment',
    description:
      "For the gateway alone: its signature over the raw body is checked before anything is read. Repeated or late reports change nothing twice. Stripe signs with `Stripe-Signature`; a laptop's sandbox with `X-Sandbox-Signature`.",
    params,
    raw: true,
    status: 200,
    reply: z.object({ received: z.literal(true) }).meta({ id: 'PaymentReportReceived' }),
    errors: ['NOT_FOUND', 'UNAUTHORIZED'],
    examples: { params: { provider: 'stripe' }, reply: { received: true } },
  },
  takeBankReport: {
    method: 'POST',
    path: '/api/v1/payments/bank-transfers/{reporter}/{team_id}',
    access: 'public',
    tag: 'Payments',
    summary: 'A reporter says that money has come to a bank account of a team',
    description:
      'For the reporter alone: its signature over the raw body is checked before anything else is looked at, and its time by 5 minutes. `sepay`: the webhook of SePay, `X-SePay-Signature`. `standard`: `{id, account_number, amount, currency, text, received_at}`, signed as standardwebhooks.com says; `id` is that of the bank, `text` what the payer wrote. Each transaction of the bank counts once; accounts that the team has not written are passed over.',
    params: z.strictObject({ reporter: ReportProvider, team_id: PathId }),
    raw: true,
    status: 200,
    reply: z.object({ success: z.literal(true) }).meta({ id: 'BankReportTaken' }),
    errors: ['NOT_FOUND', 'UNAUTHORIZED'],
    examples: { params: { reporter: 'sepay', team_id: exampleIds.team }, reply: { success: true } },
  },
  handlePaymentIpn: {
    method: 'GET',
    path: '/api/v1/payments/webhook/{provider}',
    access: 'public',
    tag: 'Payments',
    summary: 'VNPay reports a payment (IPN)',
    description:
      'For VNPay alone: `vnp_SecureHash` is checked before anything is read. It is answered 200 with its own codes in any case.',
    params,
    raw: true,
    status: 200,
    reply: VnpayAnswer,
    errors: ['NOT_FOUND'],
    examples: { params: { provider: 'vnpay' }, reply: { RspCode: '00', Message: 'Confirm Success' } },
  },
});
