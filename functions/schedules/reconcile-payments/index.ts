import { reconcilePayments } from '../../../shared/domain/payment/index.ts';
import { paymentEnvironment } from '../../../shared/platform/payment-environment.ts';

/** The Lambda handler of the schedule: asks the gateway about open payments and gives back what is owed (D47, D48). */
export const handler = (): Promise<{ looked_after: number; failed: number }> =>
  reconcilePayments(paymentEnvironment());
