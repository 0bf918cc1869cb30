export { attemptOf, earlierOf } from './attempts.ts';
export { callGateway, openCharge, openSession, requirePayableLater } from './open-payment.ts';
export {
  type Attempt,
  type DuePayment,
  DuePaymentEntity,
  duePayments,
  type Payment,
  PaymentEntity,
  type PaymentRefund,
  PaymentRefundEntity,
} from './payment.entity.ts';
export { mayMovePayment, paymentMoves } from './payment-moves.ts';
export { paymentWindowEnd, transferWindowEnd } from './payment-window.ts';
export {
  changePayment,
  createPayment,
  scheduleReconciliation,
  reconciliationIntervalMs,
  movePayment,
  scheduleRefund,
} from './payment-writes.ts';
