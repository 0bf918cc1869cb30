export { PaymentMethod } from './payment-method.schema.ts';
export { callGateway, openCharge, openSession, requirePayableLater } from './payment-session.store.ts';
export {
  createPayment,
  DuePaymentEntity,
  duePayments,
  type Payment,
  PaymentEntity,
  paymentMoves,
  type PaymentRefund,
  PaymentRefundEntity,
  paymentWindowEnd,
  type RefundRequest,
  scheduleReconciliation,
  scheduleRefunds,
  transferWindowEnd,
} from './payment.store.ts';
