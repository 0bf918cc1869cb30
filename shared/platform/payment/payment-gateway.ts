import type { RawRequest } from '../http/route.ts';

/** The amount of a payment, in the unit of its currency (D1). */
export interface Due {
  payment_id: number;
  amount: number;
  currency: string;
}

/** A payment that may be authorised alone. */
export interface DueHold extends Due {
  /** Only authorised by the charge or page; captured by a later call, or voided. */
  captured_later?: true;
}

/** A payment by token. */
export interface DueCharge extends DueHold {
  /** The token pays several payments of the order. */
  shares_token?: true;
}

/** A payment on the gateway's page. */
export interface DueSession extends DueHold {
  /** 1 for the first; each further attempt has a reference of its own. */
  attempt: number;
  /** When the page closes, in epoch milliseconds. */
  ends_at: number;
  /** Epoch milliseconds. */
  now: number;
}

/** A payment that was opened at the gateway: `reference` is the gateway's. */
export interface OpenedPayment extends DueCharge {
  reference: string;
  /** What of an authorisation is captured, which releases the rest; absent: all. */
  captures?: number;
  /** When it was opened, in epoch milliseconds. */
  opened_at: number;
  /** Epoch milliseconds. */
  now: number;
}

export interface Paid {
  state: 'paid';
  transaction_id: string;
  /** The amount that the gateway reports. */
  amount: number;
  currency: string;
}

/** Authorised and not paid: the amount is reserved until it is captured or voided. */
interface Authorised {
  state: 'authorised';
}

/** Not paid; if `final`, this attempt can no longer be paid. */
export interface Unpaid {
  state: 'unpaid';
  final: boolean;
  /** It was closed, or its time was over: no payment has failed. */
  closed?: true;
  reason: string;
}

export type Outcome = Paid | Authorised | Unpaid;

/** The outcome of a payment that is closed or captured: nothing is reserved any more. */
export type FinalOutcome = Paid | Unpaid;

/** A notification of a gateway, its signature verified. */
export interface PaymentNotification {
  payment_id: number;
  reference: string;
  outcome: Outcome;
}

/** A notification that a refund which was made has not reached the customer after all, its signature verified. */
export interface FailedRefund {
  payment_id: number;
  refund_id: string;
  reason: string;
}

export interface DueRefund extends Due {
  /** The idempotency key of the refund. */
  refund_id: string;
  transaction_id: string;
  reference: string;
  /** Whether it is the only refund of the charge. */
  is_only: boolean;
  /** The amount of the payment; `amount` may be a part of it. */
  paid: number;
  /** Epoch milliseconds. */
  opened_at: number;
  now: number;
}

/** The result of a notification, for gateways that expect one (VNPay). */
export type NotificationOutcome = 'taken' | 'repeated' | 'unknown' | 'mismatch' | 'unsigned' | 'failed';

/**
 * A payment gateway (D47). Calls that move money are idempotent. A call without a response throws {@link GatewayUnavailable}:
 * it may have been carried out.
 */
export interface PaymentGateway {
  /** Its name in the URL of its webhook. */
  readonly provider: string;
  /** The HTTP method of its webhook calls. */
  readonly notifiesBy: 'GET' | 'POST';
  /** Returns why the gateway does not accept such a payment; undefined if it does. */
  refusal(due: DueHold, byToken: boolean): string | undefined;
  /** Opens a payment page until the window ends; charges nothing. What is captured later is authorised on it. */
  openSession(due: DueSession): Promise<{ reference: string; url: string }>;
  /** Creates a charge by token without charging it yet. */
  openCharge(due: DueCharge): Promise<{ reference: string }>;
  /** Charges, once. A charge that is captured later is authorised. */
  charge(opened: OpenedPayment, token: string): Promise<Outcome>;
  /** Captures an authorised payment, once; returns unpaid if it cannot be captured. */
  capture(opened: OpenedPayment): Promise<FinalOutcome>;
  /** Returns the state of the payment. */
  find(opened: OpenedPayment): Promise<Outcome>;
  /** Closes the payment at the gateway, if possible, and voids an authorisation. Returns its final state. */
  close(opened: OpenedPayment): Promise<FinalOutcome>;
  /**
   * Refunds, once for each `refund_id`. Throws {@link RefundOutcomeUnknown} if only a person can find out whether the refund was made.
   */
  refund(due: DueRefund): Promise<void>;
  /** Parses a webhook call. Throws {@link BadSignature} before using any of it. Returns undefined if it is not relevant. */
  readNotification(request: RawRequest, now: number): Promise<PaymentNotification | FailedRefund | undefined>;
}

/** Why a token is declined whose bank wants its customer's confirmation, such as 3-D Secure. */
export const bankAsksForCustomer =
  'the bank asks for the customer; confirm without a token and use the payment_url';

/** The gateway did not answer, or not validly; the call may have been carried out. */
export class GatewayUnavailable extends Error {
  constructor(what: string, cause?: unknown) {
    super(`The payment gateway did not answer: ${what}`, { cause });
    this.name = 'GatewayUnavailable';
  }
}

/** The gateway rejected the call; a retry cannot succeed. */
export class GatewayRefused extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'GatewayRefused';
  }
}

/** The gateway has a refund of the payment and does not say whether it is this one: a retry could refund twice. */
export class RefundOutcomeUnknown extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'RefundOutcomeUnknown';
  }
}

/** A webhook call without the gateway's valid signature. */
export class BadSignature extends Error {
  constructor() {
    super('The signature is missing or wrong.');
    this.name = 'BadSignature';
  }
}
