import { sandboxSignatureHeader, signSandbox } from '../../../shared/platform/payment/sandbox.ts';
import { sandboxSecret } from './secret.ts';
import { type BankPayment, outcomeOf } from './bank.ts';

interface SandboxCall {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** The sandbox's own report of a payment, signed as the service expects it. */
export const notificationOf = (payment: BankPayment): SandboxCall => {
  const { payment_id, reference } = payment;
  const body = JSON.stringify({ payment_id, reference, outcome: outcomeOf(payment) });
  return {
    path: '/api/v1/payments/webhook/sandbox',
    headers: {
      'Content-Type': 'application/json',
      [sandboxSignatureHeader]: signSandbox(sandboxSecret, body),
    },
    body,
  };
};
