import { reconcilePayments } from '../../../shared/domain/payment/index.ts';
import { paymentEnvironment } from '../../../shared/platform/payment-environment.ts';

/** The Lambda handler of the schedule: reconciles open payments with the gateway and executes due refunds (D47, D48). */
export const handler = (): Promise<{ reconciled: number; failed: number }> =>
  reconcilePayments(paymentEnvironment());
