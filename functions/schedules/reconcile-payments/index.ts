import { reconcilePayments } from '../../../shared/domain/payment/index.ts';
import { paymentEnvironment } from '../../../shared/platform/environment/payment-environment.ts';
import { scheduled } from '../../../shared/scheduled.ts';

/** The Lambda handler of the schedule: reconciles open payments with the gateway and executes due refunds (D47, D48). */
export const handler = scheduled('reconcile-payments', () => reconcilePayments(paymentEnvironment()));
