export { payableMethods, PaymentMethod } from './payment-method.schema.ts';
export { callGateway, openCharge, openSession, requirePayableLater } from './payment-session.store.ts';
export {
  DuePaymentEntity,
  duePayments,
  type Payment,
  PaymentEntity,
  type PaymentRefund,
  PaymentRefundEntity,
} from './payment.entity.ts';
export { paymentMoves } from './payment.rules.ts';
export {
  changePayment,
  createPayment,
  type RefundRequest,
  scheduleReconciliation,
  scheduleRefunds,
} from './payment.store.ts';
export { paymentWindowEnd, transferWindowEnd } from './payment-window.rules.ts';
