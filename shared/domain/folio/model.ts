export { type DepositAction, depositKinds, depositOf, isByGateway, mostOfDeposit } from './deposit.rules.ts';
export { decisionOf, refundsDecided } from './decided-refunds.rules.ts';
export { type Posting, PostingRecord } from './posting.entity.ts';
export {
  type Account,
  balanceOf,
  callBalance,
  chargePosting,
  chargesOf,
  creditOf,
  dueFor,
  dueLaterFor,
  endPostings,
  extraChargesOf,
  fitsFolio,
  type GatewayCharge,
  isByPartner,
  isRefunded,
  isPaidToPartner,
  partnerOf,
  isDepositPaid,
  paidFor,
  type PaymentPlan,
  post,
  type Posted,
  receivedFor,
  type RefundSource,
  refundedFor,
  sameFolio,
  splitRefund,
  takenPosting,
  toReturnFor,
  transactionOf,
  unpaidFor,
  untouched,
  withoutEnd,
} from './folio.rules.ts';
export { isUnused, postRefundMade, withReturned } from './made-refunds.rules.ts';
export type { TakenMethod } from './taken-method.schema.ts';
