import type { BookingState, PaymentStatus } from '../../booking/model.ts';
import type { PaymentMethod } from '../../payment/model.ts';
import type { LineKind } from '../../pricing/model.ts';

/** Who a mail is for: the guest of a booking, or a host of its team. */
export type Side = 'guest' | 'host';

/** A mail about a booking. */
export type BookingMailName =
  'requested' | 'to_pay' | 'booked' | 'confirmed' | 'cancelled' | 'paid' | 'refunded' | 'reminder' | 'review';

/** A labelled line of a mail about a booking. */
export type FactName =
  | 'booking'
  | 'listing'
  | 'address'
  | 'check_in'
  | 'check_out'
  | 'nights'
  | 'guests'
  | 'total'
  | 'payment'
  | 'state'
  | 'guest'
  | 'phone'
  | 'email'
  | 'pay_until'
  | 'reason'
  | 'refund'
  | 'lines'
  | 'amount'
  | 'method'
  | 'transaction'
  | 'wifi_name'
  | 'wifi_password'
  | 'door_code';

/** The subject of a mail and its first sentence, about a listing. */
interface Opening {
  subject: (listing: string) => string;
  sentence: (listing: string) => string;
}

export interface Words {
  /** Of the mails that a side gets. */
  openings: Record<Side, Partial<Record<BookingMailName, Opening>>>;
  newMessages: { subject: (listing: string) => string; sentence: (from: string, listing: string) => string };
  unbooked: Opening;
  greeting: (name: string) => string;
  labels: Record<FactName, string>;
  localTime: (timezone: string) => string;
  payBy: (time: string) => string;
  payNow: string;
  states: Record<BookingState, string>;
  methods: Record<PaymentMethod, string>;
  payments: Record<PaymentStatus, string>;
  lines: Record<LineKind, string>;
  /** How a refund comes, by the way the stay was paid; `none`: nothing goes back. */
  refunds: Record<PaymentMethod | 'none', string>;
  /** A partner that has collected the price gives it back; by the name it has given itself, if any. */
  refundedByPartner: (partner: string | null) => string;
  /** What the service gives as reason by itself, where the language is another than that of the record. */
  reasons: Record<string, string>;
  footer: string;
}
