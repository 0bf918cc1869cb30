import type { PaymentStatus } from '../../booking/model.ts';
import type { BookingLabels } from './booking-labels.ts';

/** Who a mail is for. */
export type Side = 'guest' | 'host';

/** A mail about a booking. */
export type BookingMailName =
  | 'requested'
  | 'to_pay'
  | 'change_to_pay'
  | 'due_to_pay'
  | 'booked'
  | 'confirmed'
  | 'declined'
  | 'changed'
  | 'change_given_up'
  | 'change_kept'
  | 'access_released'
  | 'cancelled'
  | 'restored'
  | 'no_show'
  | 'paid'
  | 'refunded'
  | 'deposit_kept'
  | 'address_corrected'
  | 'deposit_asked'
  | 'balance'
  | 'window'
  | 'window_of_host'
  | 'reminder'
  | 'review';

/** The subject and first sentence of a mail about a listing. */
interface Opening {
  subject: (listing: string) => string;
  sentence: (listing: string) => string;
}

export interface Words extends BookingLabels {
  /** By recipient, for the mails that this side gets. */
  openings: Record<Side, Partial<Record<BookingMailName, Opening>>>;
  newMessages: { subject: (listing: string) => string; sentence: (from: string, listing: string) => string };
  unbooked: Opening;
  greeting: (name: string) => string;
  /** What happens if it is not paid in time. */
  payBy: Record<'booking' | 'due' | 'change' | 'added' | 'deposit', (time: string) => string>;
  payNow: string;
  /** Of a security deposit. */
  authorise: string;
  seeBooking: string;
  transferText: (reference: string) => string;
  /** That the guest of a cancelled stay could read the door code. */
  accessShown: string;
  payments: Record<PaymentStatus, string>;
  paidInPart: string;
  /** How a refund is made: through the gateway, or by hand, of which no more is known; `none`: no refund. */
  refunds: Record<'none' | 'ONLINE_GATEWAY' | 'CASH', string>;
  /** Of a refund that the host makes: it was handed over, or is to be. */
  refundedByHost: Record<'later' | 'done', string>;
  /** In place of REFUNDED, while the host has to hand it over. */
  refundToCome: string;
  /** Of a refund that the gateway has not made yet. */
  refundUnderWay: string;
  /** For refunds by a partner that has collected the price; with the partner's name if given. */
  refundedByPartner: (partner: string | null) => string;
  /** In place of a reason that is not shown (D110). */
  reasonElsewhere: string;
  /** Why an adjustment refunds, with its label. */
  adjusted: Record<'added' | 'takenOut', (labels: string) => string>;
  /** Translations of the service's own reasons, which are stored in English. */
  reasons: Record<string, string>;
  footer: string;
}
