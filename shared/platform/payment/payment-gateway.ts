import type { RawRequest } from '../http/route.ts';

/** What is to be paid, in the unit of its currency (D1). */
export interface Due {
  payment_id: number;
  amount: number;
  currency: string;
}

/** A payment by token. */
export interface DueCharge extends Due {
  /** Authorised by the charge, and captured by a call of its own, or never. */
  captured_later?: true;
  /** One of several payments of an order by one token. */
  shares_token?: true;
}

/** A payment that a customer makes in the browser. */
export interface DueSession extends Due {
  /** 1 for the first; a failed attempt is followed by another with a reference of its own. */
  attempt: number;
  /** Epoch milliseconds until which it may be paid. */
  ends_at: number;
  /** Epoch milliseconds. */
  now: number;
}

/** A payment as the gateway knows it: `reference` is what it answered when it was opened. */
export interface OpenedPayment extends DueCharge {
  reference: string;
  /** Epoch milliseconds: when it was opened here. */
  opened_at: number;
  /** Epoch milliseconds. */
  now: number;
}

export interface Paid {
  state: 'paid';
  transaction_id: string;
  /** What was paid, as the gateway says. */
  amount: number;
  currency: string;
}

/** Not paid yet: the bank keeps the amount for it until it is captured or closed. */
export interface Authorised {
  state: 'authorised';
}

/** Not paid; `final`: this attempt never will be. */
export interface Unpaid {
  state: 'unpaid';
  final: boolean;
  reason: string;
}

export type Outcome = Paid | Authorised | Unpaid;

/** Of a payment that is over, or was captured: nothing is kept for it any more. */
export type FinalOutcome = Paid | Unpaid;

/** What a gateway reported by itself, its signature checked. */
export interface PaymentNotification {
  payment_id: number;
  reference: string;
  outcome: Outcome;
}

export interface DueRefund extends Due {
  /** Names the refund for good: the same one asked for twice is made once. */
  refund_id: string;
  transaction_id: string;
  reference: string;
  /** Whether nothing else of the same charge was ever to go back. */
  is_only: boolean;
  /** The whole payment; `amount` may be a part of it. */
  paid: number;
  /** Epoch milliseconds. */
  opened_at: number;
  now: number;
}

/** What became of a notification, for gateways that want to be told (VNPay). */
export type NotificationOutcome = 'taken' | 'repeated' | 'unknown' | 'mismatch' | 'unsigned' | 'failed';

/**
 * A payment gateway (D47). Every call that costs money may be repeated: the gateway does it once. A call that gets no answer
 * throws {@link GatewayUnavailable}: whether it was carried out is unknown then.
 */
export interface PaymentGateway {
  /** Its name in the address of its webhook. */
  readonly provider: string;
  /** How it calls the webhook. */
  readonly notifiesBy: 'GET' | 'POST';
  /** Why it does not take such a payment; undefined: it does. */
  refusal(due: Due, byToken: boolean): string | undefined;
  /** Opens a page on which the payment can be made until its window ends; nothing is charged. */
  openSession(due: DueSession): Promise<{ reference: string; url: string }>;
  /** Announces a charge by token; nothing is charged yet. */
  openCharge(due: DueCharge): Promise<{ reference: string }>;
  /** Charges once, however often it is asked; what was announced so is authorised by it. */
  charge(opened: OpenedPayment, token: string): Promise<Outcome>;
  /** Takes what is authorised, once; unpaid when it cannot be taken, however often it is asked. */
  capture(opened: OpenedPayment): Promise<FinalOutcome>;
  /** How the payment stands. */
  find(opened: OpenedPayment): Promise<Outcome>;
  /** Ends the payment at the gateway, where it can be ended: an authorisation is void. Answers how it stands then. */
  close(opened: OpenedPayment): Promise<FinalOutcome>;
  /** Gives money back, once for each `refund_id`; throws {@link RefundUnsure} when only a person can find out whether it did. */
  refund(due: DueRefund): Promise<void>;
  /** Reads a call of its webhook; throws {@link BadSignature} before anything of it is believed. Undefined: of no concern. */
  readNotification(request: RawRequest, now: number): Promise<PaymentNotification | undefined>;
}

/** The gateway does not answer, or not sensibly; what was asked for may have been done or not. */
export class GatewayUnavailable extends Error {
  constructor(what: string, cause?: unknown) {
    super(`The payment gateway did not answer: ${what}`, { cause });
    this.name = 'GatewayUnavailable';
  }
}

/** The gateway understood, and will not do it however often it is asked. */
export class GatewayRefused extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'GatewayRefused';
  }
}

/** The gateway has refunded something of the payment, and does not say whether it was this: asking again could pay twice. */
export class RefundUnsure extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'RefundUnsure';
  }
}

/** A call of the webhook that does not come from the gateway. */
export class BadSignature extends Error {
  constructor() {
    super('The signature is missing or wrong.');
    this.name = 'BadSignature';
  }
}
