import { accessOpens, waitsForPayment } from '../booking/index.ts';
import {
  type BookingEventType,
  changeKept,
  changeUnpaid,
  fellThrough,
  linkHasEnded,
} from '../booking/model.ts';
import { isPaidToPartner, paidFor } from '../folio/model.ts';
import type { BookingFacts } from './booking-facts.ts';
import type { DueMail } from './due-mail.entity.ts';
import { partiesOf } from './mail-turn.rules.ts';
import type { Recipient } from './recipients.ts';
import type { FactName } from './words/booking-labels.ts';
import type { BookingMailName, Side } from './words/words.ts';

type Trigger = BookingEventType | Exclude<DueMail['kind'], 'messages' | 'event'> | 'window_of_host';

/** One kind of mail about a booking; its texts are in `words/`. */
interface BookingMail {
  /** The event or the due item that triggers it. */
  on: Trigger;
  to: readonly Side[];
  /** Whether it still applies: an event may arrive late, after further changes. */
  stillApplies: (about: BookingFacts) => boolean;
  facts: Record<Side, readonly FactName[]>;
  /** Whether it is never held back where the stay is paid (D110): it is about the money, or opens the door. */
  ofPaid?: true;
  /** What the guest can pay for by a link in it, while that is possible. */
  paysFor?: 'booking' | 'change' | 'deposit';
}

const both: readonly Side[] = ['guest', 'host'];
const time: readonly FactName[] = ['booking', 'listing', 'check_in', 'check_out'];
const stay: readonly FactName[] = [
  'booking',
  'listing',
  'address',
  'check_in',
  'check_out',
  'nights',
  'guests',
];
const price: readonly FactName[] = [
  'total',
  'payment',
  'amount_due',
  'state',
  'pay_until',
  'transfer',
  'balance',
];
const guest: readonly FactName[] = ['guest', 'phone', 'email'];
const access: readonly FactName[] = ['wifi_name', 'wifi_password', 'door_code'];
const receipt: readonly FactName[] = [
  ...time,
  'lines',
  'total',
  'charges',
  'amount',
  'paid',
  'amount_due',
  'balance',
  'method',
  'transaction',
];
const fellThroughFacts: readonly FactName[] = [...stay, 'total', 'payment', 'state', 'reason', 'refund'];
const facts = (common: readonly FactName[]): BookingMail['facts'] => ({
  guest: common,
  host: [...common, ...guest],
});

const startedAsRequest = ({ eventFacts }: BookingFacts): boolean => eventFacts.state === 'PENDING';
const isIn = (state: string) => (about: BookingFacts) => about.stay.state === state;
const waitsOnline = ({ stay: { pay_until, payment_method, payment_status } }: BookingFacts): boolean =>
  pay_until !== undefined && payment_method === 'ONLINE_GATEWAY' && payment_status === 'PENDING';

const hasReason =
  (reason: string) =>
  ({ stay: { state }, eventFacts }: BookingFacts): boolean =>
    eventFacts.reason === reason && !fellThrough(state);

/** Whether the booking is cancelled unless the guest pays, on a page or by transfer (D123). */
const waitsForMoney = (about: BookingFacts): boolean =>
  about.payUrl !== null ||
  (about.stay.payment_method === 'BANK_TRANSFER' &&
    about.stay.pay_until !== undefined &&
    waitsForPayment(about.stay));

/** All mails about a booking: trigger, recipients and facts (D66, D91). */
export const bookingMails = {
  requested: {
    on: 'booking.created',
    to: both,
    stillApplies: isIn('PENDING'),
    facts: facts([...stay, ...price]),
    paysFor: 'booking',
  },
  to_pay: {
    on: 'booking.created',
    to: both,
    stillApplies: (about) => isIn('CONFIRMED')(about) && !startedAsRequest(about) && waitsForMoney(about),
    facts: facts([...stay, ...price]),
    paysFor: 'booking',
  },
  booked: {
    on: 'booking.created',
    to: both,
    stillApplies: (about) =>
      isIn('CONFIRMED')(about) && !startedAsRequest(about) && !waitsOnline(about) && !waitsForMoney(about),
    facts: facts([...stay, ...price]),
  },
  confirmed: {
    on: 'booking.confirmed',
    to: both,
    stillApplies: isIn('CONFIRMED'),
    facts: facts([...stay, ...price]),
    paysFor: 'booking',
  },
  cancelled: {
    on: 'booking.cancelled',
    to: both,
    stillApplies: isIn('CANCELLED'),
    facts: {
      guest: fellThroughFacts,
      host: [...fellThroughFacts, 'access_shown', ...guest],
    },
    ofPaid: true,
  },
  restored: {
    on: 'booking.restored',
    to: both,
    stillApplies: isIn('CONFIRMED'),
    facts: facts([...stay, ...price]),
    ofPaid: true,
  },
  declined: {
    on: 'booking.declined',
    to: both,
    stillApplies: isIn('CANCELLED'),
    facts: facts(fellThroughFacts),
    ofPaid: true,
  },
  change_given_up: {
    on: 'booking.changed',
    to: both,
    stillApplies: hasReason(changeUnpaid),
    facts: facts([...stay, ...price]),
    ofPaid: true,
  },
  change_kept: {
    on: 'payment.failed',
    to: both,
    stillApplies: hasReason(changeKept),
    facts: facts([...stay, ...price]),
  },
  changed: {
    on: 'booking.changed',
    to: both,
    stillApplies: ({ stay: { state } }) => !fellThrough(state),
    facts: facts([...stay, ...price]),
    paysFor: 'booking',
  },
  no_show: {
    on: 'booking.no_show',
    to: both,
    stillApplies: isIn('NO_SHOW'),
    facts: facts(fellThroughFacts),
    ofPaid: true,
  },
  access_released: {
    on: 'booking.access_released',
    to: ['guest'],
    // Of a guest in house too, whose home another has replaced.
    stillApplies: (about) =>
      (isIn('CONFIRMED')(about) || isIn('CHECKED_IN')(about)) && about.now < about.endsAt,
    facts: { guest: [...time, 'address', ...access], host: [] },
    ofPaid: true,
  },
  paid: {
    on: 'payment.paid',
    to: both,
    stillApplies: ({ stay }) => stay.payment_status === 'PAID' || paidFor(stay) > 0,
    facts: { guest: [...receipt, ...access], host: [...receipt, ...guest] },
    ofPaid: true,
  },
  refunded: {
    on: 'payment.refunded',
    to: both,
    stillApplies: () => true,
    facts: facts([...time, 'refund', 'reason', 'transaction']),
    ofPaid: true,
  },
  deposit_kept: {
    on: 'booking.deposit_changed',
    to: ['guest'],
    stillApplies: ({ eventFacts }) => eventFacts.action === 'KEEP',
    facts: { guest: [...time, 'deposit_kept', 'reason'], host: [] },
  },
  change_to_pay: {
    on: 'change_to_pay',
    to: ['guest'],
    stillApplies: ({ payUrl }) => payUrl !== null,
    facts: { guest: [...stay, 'extras', 'total', 'amount_due', 'pay_until'], host: [] },
    paysFor: 'change',
  },
  due_to_pay: {
    on: 'due_to_pay',
    to: ['guest'],
    stillApplies: ({ payUrl }) => payUrl !== null,
    facts: { guest: [...time, 'total', 'amount_due', 'pay_until'], host: [] },
    paysFor: 'booking',
  },
  deposit_asked: {
    on: 'deposit',
    to: ['guest'],
    stillApplies: ({ payUrl }) => payUrl !== null,
    facts: { guest: [...time, 'deposit', 'pay_until'], host: [] },
    paysFor: 'deposit',
  },
  balance: {
    on: 'balance',
    to: ['guest'],
    stillApplies: ({ amountDue }) => amountDue !== undefined,
    facts: { guest: [...time, 'total', 'amount_due', 'pay_until', 'transfer'], host: [] },
    paysFor: 'booking',
  },
  window: {
    on: 'window',
    to: ['guest'],
    stillApplies: waitsForMoney,
    facts: { guest: [...time, 'total', 'amount_due', 'pay_until', 'transfer'], host: [] },
    paysFor: 'booking',
  },
  window_of_host: {
    on: 'window_of_host',
    to: ['host'],
    stillApplies: waitsForMoney,
    facts: { guest: [], host: [...time, 'total', 'amount_due', 'pay_until', ...guest] },
  },
  reminder: {
    on: 'reminder',
    to: both,
    // A change may have given the stay a later check-in, with a reminder of its own.
    stillApplies: (about) =>
      isIn('CONFIRMED')(about) && about.now >= accessOpens(about.stay) && about.now < about.endsAt,
    facts: { guest: [...stay, ...price, ...access], host: [...stay, ...price, ...guest] },
    paysFor: 'booking',
    ofPaid: true,
  },
  address_corrected: {
    on: 'booking.guest_updated',
    to: ['guest'],
    stillApplies: ({ eventFacts, stay: booked, now }) =>
      eventFacts.fields?.includes('email') === true && !linkHasEnded(booked, now),
    facts: { guest: [...stay, ...price], host: [] },
    paysFor: 'booking',
  },
  review: {
    on: 'booking.completed',
    to: ['guest'],
    stillApplies: isIn('COMPLETED'),
    facts: { guest: time, host: [] },
  },
} as const satisfies Record<BookingMailName, BookingMail>;

/** Returns the mail for an event or due item, if one still applies. */
export const mailFor = (on: Trigger, about: BookingFacts): BookingMailName | undefined =>
  (Object.keys(bookingMails) as BookingMailName[]).find((name) => {
    const row: BookingMail = bookingMails[name];
    return row.on === on && row.stillApplies(about);
  });

export const bookingMailOf = (name: BookingMailName): BookingMail => bookingMails[name];

/**
 * Returns on whose behalf a mail about a booking counts for its address (D110); undefined: it is sent at once. A partner that has
 * collected the price could say so of any booking, so its stays are not paid here.
 */
export const countedFor = (
  { isKnown }: Pick<Recipient, 'isKnown'>,
  name: BookingMailName,
  { stay: booked }: BookingFacts,
): readonly string[] | undefined => {
  const isPaid = booked.payment_status !== 'PENDING' && !isPaidToPartner(booked);
  return isKnown || (isPaid && bookingMailOf(name).ofPaid) ? undefined : partiesOf(booked);
};
