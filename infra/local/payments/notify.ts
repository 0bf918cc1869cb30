import { sandboxSignatureHeader, signSandbox } from '../../../shared/platform/payment/sandbox.ts';
import { sandboxSecret } from './secret.ts';
import { type SandboxPayment, outcomeOf } from './sandbox-gateway.ts';

interface SandboxCall {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Returns the webhook call for a payment, signed as the service expects. */
export const notificationOf = (payment: SandboxPayment): SandboxCall => {
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
