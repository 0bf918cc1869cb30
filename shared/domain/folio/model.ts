export { type Posting, PostingRecord } from './posting.entity.ts';
export {
  type Account,
  balanceOf,
  chargePosting,
  chargesOf,
  correctable,
  dueFor,
  endPostings,
  type GatewayCharge,
  isRefunded,
  isPaidToPartner,
  paidFor,
  post,
  type Posted,
  postRefundMade,
  receivedFor,
  refundedFor,
  sameFolio,
  splitRefund,
  takenPosting,
  transactionOf,
} from './folio.rules.ts';
export { takenMethods } from './taken-method.schema.ts';
