import type { BookingEventType } from '../booking/model.ts';
import type { About } from './booking-facts.ts';
import type { BookingMailName, FactName, Side } from './words/words.ts';

/** One kind of mail about a booking; its words in each language are in `words/`. */
interface BookingMail {
  /** The event that it tells of; null: it has its own time. */
  on: BookingEventType | null;
  to: readonly Side[];
  /** Whether it is still true: an event may come late, and the booking has changed meanwhile. */
  holds: (about: About) => boolean;
  facts: Record<Side, readonly FactName[]>;
  /** The guest finds here where to pay, while a payment is possible. */
  asksToPay?: true;
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
const price: readonly FactName[] = ['total', 'payment', 'state', 'pay_until'];
const guest: readonly FactName[] = ['guest', 'phone', 'email'];
const access: readonly FactName[] = ['wifi_name', 'wifi_password', 'door_code'];
const facts = (common: readonly FactName[]): BookingMail['facts'] => ({
  guest: common,
  host: [...common, ...guest],
});

const wasRequest = ({ told }: About): boolean => told.state === 'PENDING';
const isIn = (state: string) => (about: About) => about.stay.state === state;
const waitsOnline = ({ stay: { pay_until, payment_method, payment_status } }: About): boolean =>
  pay_until !== undefined && payment_method === 'ONLINE_GATEWAY' && payment_status === 'PENDING';

/** Every mail about a booking: what it tells of, whom it goes to, and what it says (D66, D91). */
export const bookingMails = {
  requested: {
    on: 'booking.created',
    to: both,
    holds: isIn('PENDING'),
    facts: facts([...stay, ...price]),
    asksToPay: true,
  },
  to_pay: {
    on: 'booking.created',
    to: both,
    holds: (about) => isIn('CONFIRMED')(about) && !wasRequest(about) && about.payUrl !== null,
    facts: facts([...stay, ...price]),
    asksToPay: true,
  },
  booked: {
    on: 'booking.created',
    to: both,
    holds: (about) => isIn('CONFIRMED')(about) && !wasRequest(about) && !waitsOnline(about),
    facts: facts([...stay, ...price]),
  },
  confirmed: {
    on: 'booking.confirmed',
    to: both,
    holds: isIn('CONFIRMED'),
    facts: facts([...stay, ...price]),
    asksToPay: true,
  },
  cancelled: {
    on: 'booking.cancelled',
    to: both,
    holds: isIn('CANCELLED'),
    facts: facts([...stay, 'total', 'payment', 'state', 'reason', 'refund']),
  },
  paid: {
    on: 'payment.paid',
    to: both,
    holds: ({ stay: { payment_status } }) => payment_status === 'PAID',
    facts: facts([...time, 'lines', 'amount', 'method', 'transaction']),
  },
  refunded: {
    on: 'payment.refunded',
    to: both,
    holds: () => true,
    facts: facts([...time, 'refund', 'reason', 'transaction']),
  },
  reminder: {
    on: null,
    to: both,
    holds: (about) => isIn('CONFIRMED')(about) && about.now < about.endsAt,
    facts: { guest: [...stay, ...price, ...access], host: [...stay, ...price, ...guest] },
    asksToPay: true,
  },
  review: {
    on: 'booking.completed',
    to: ['guest'],
    holds: isIn('COMPLETED'),
    facts: { guest: time, host: [] },
  },
} as const satisfies Record<BookingMailName, BookingMail>;

/** The mail that is due about a booking because of an event, or at its own time; none when it is no longer true. */
export const mailFor = (on: BookingEventType | null, about: About): BookingMailName | undefined =>
  (Object.keys(bookingMails) as BookingMailName[]).find((name) => {
    const row: BookingMail = bookingMails[name];
    return row.on === on && row.holds(about);
  });

export const bookingMailOf = (name: BookingMailName): BookingMail => bookingMails[name];
