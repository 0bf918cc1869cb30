import type { EventOf } from '../../events.ts';
import type { Dependencies } from '../../platform/context.ts';
import { localTimeText, moneyText, type WrittenLanguage } from '../../platform/text/language.ts';
import { nameInMail, withoutLinks } from '../../platform/mail/name-in-mail.ts';
import type { Table } from '../../platform/table/index.ts';
import { toInstant, toLocal } from '../../platform/time/time.ts';
import {
  isUnpaid,
  isUnsecured,
  openAccess,
  openPageOf,
  readAccounts,
  readPendingChange,
  transferOf,
  waitsForPayment,
} from '../booking/index.ts';
import {
  type AccessInfo,
  balanceDueAt,
  balanceReminderMs,
  type BookingEventType,
  OrderEntity,
  readReservation,
  type Reservation,
  thawQuote,
  withDuePages,
} from '../booking/model.ts';
import {
  chargesOf,
  type DepositAction,
  dueFor,
  dueLaterFor,
  isPaidToPartner,
  paidFor,
  type TakenMethod,
  transactionOf,
} from '../folio/model.ts';
import { type Listing, readListing } from '../listing/model.ts';
import { PaymentEntity } from '../payment/model.ts';
import { guestContact, type HostContact } from '../people/index.ts';
import type { ItemQuote } from '../pricing/model.ts';
import type { Transfer } from '../transfer/model.ts';
import type { Fact } from './mail-layout.ts';
import type { Recipient } from './recipients.ts';
import { bookingWords } from './words/booking-words.ts';
import type { FactName } from './words/booking-labels.ts';
import type { Words } from './words/words.ts';

/** What only the event contains: who has made the change, the state at that time, and the reason. */
type EventFacts = Pick<EventOf<BookingEventType>['data'], 'state' | 'reason' | 'refund'> & {
  /** Of a cancelled stay: its guest could read the door code. */
  access_shown?: boolean | undefined;
  amount?: number | undefined;
  action?: DepositAction;
  actor?: string;
  /** Of a payment: how it came, and the charge. */
  method?: TakenMethod | undefined;
  payment_transaction_id?: string | null | undefined;
};

/** A booking with everything a mail about it may contain. */
export interface BookingFacts {
  stay: Reservation;
  /** Read for a mail that has them. */
  lines?: ItemQuote['lines'];
  listing: Pick<Listing, 'address'> | undefined;
  /** Whom the guest reaches (D123). */
  host: HostContact;
  /** How the guest can pay by bank transfer now; null: not so. */
  transfer: Transfer | null;
  /** Where the guest can pay now; null: nowhere. */
  payUrl: string | null;
  access: AccessInfo | null;
  /** Epoch milliseconds. */
  now: number;
  endsAt: number;
  eventFacts: EventFacts;
  /** What is to be paid for a change that waits for its payment, and the extra services with it. */
  amountDue?: number;
  /** The page is one that the host has opened for what is due: the booking stands without it (D127). */
  paysDue?: true;
  extras?: readonly string[];
}

type FactDependencies = Pick<Dependencies, 'table' | 'clock' | 'log' | 'sealing'>;

/** Reads the data for mails about a booking. Throws if the booking does not exist yet, so that the queue retries. */
export const readBookingFacts = async (
  deps: FactDependencies,
  reservationId: number,
  eventFacts: EventFacts = {},
): Promise<BookingFacts> => {
  const { table, clock } = deps;
  const stay = await readReservation(table, reservationId);
  if (!stay) throw new Error(`the booking ${reservationId} does not exist`);
  const [listing, host, accounts, payment] = await Promise.all([
    readListing(table, stay.listing_id),
    guestContact(deps, stay.team_id),
    readAccounts(deps, [stay]),
    waitsForPayment(stay) && stay.payment_method === 'ONLINE_GATEWAY' ? readPayment(table, stay) : undefined,
  ]);
  const now = clock.now();
  const found = { reservations: [stay], payment, separatePayments: payment ? [payment] : [] };
  const page = openPageOf(clock, await withDuePages(table, found), [stay]);
  return {
    ...(page?.due_of === undefined
      ? { stay }
      : {
          stay: { ...stay, pay_until: page.ends_at },
          amountDue: dueFor(stay),
          ...(stay.pay_until === undefined ? { paysDue: true as const } : {}),
        }),
    listing,
    host,
    transfer: transferOf(accounts, [stay]),
    payUrl: page?.url ?? null,
    access: listing ? await openAccess(deps, listing, stay, now) : null,
    now,
    endsAt: toInstant(stay.end_at, stay.timezone),
    eventFacts,
  };
};

/**
 * Reads the same data for a mail about the balance of a payment plan that was put off to an instant: that of a reminder, or when
 * the balance fell due; undefined if it does not apply any more (D129).
 */
export const readBalanceFacts = async (
  deps: FactDependencies,
  reservationId: number,
  dueAt: number,
): Promise<BookingFacts | undefined> => {
  const about = await readBookingFacts(deps, reservationId);
  const { stay, now } = about;
  const balanceAt = balanceDueAt(stay);
  if (balanceAt === undefined)
    return stay.pay_until !== undefined && stay.plan && waitsForPayment(stay)
      ? { ...about, amountDue: dueFor(stay) }
      : undefined;
  const isReminder = balanceReminderMs.some((ms) => balanceAt - ms <= dueAt) && now < balanceAt;
  if (!isReminder || !isUnpaid(stay) || waitsForPayment(stay)) return undefined;
  return { ...about, stay: { ...stay, pay_until: balanceAt }, amountDue: dueLaterFor(stay) };
};

/**
 * Reads the same data for a stay as a change that its host asks for would make it, with the page on which the difference is
 * paid; without a page if no such change waits for its payment.
 */
export const readChangeFacts = async (
  deps: FactDependencies,
  reservationId: number,
): Promise<BookingFacts> => {
  const about = await readBookingFacts(deps, reservationId);
  const waiting = await readPendingChange(deps, [about.stay]);
  if (waiting?.asked_by !== 'host') return { ...about, payUrl: null };
  const { listing_id, listing_name, start_at, end_at, nights, guest_number, total_price } = waiting;
  const listing = await readListing(deps.table, listing_id);
  // Its payment would be refunded.
  if (listing?.state === 'ARCHIVED') return { ...about, payUrl: null };
  const timezone = listing?.timezone ?? about.stay.timezone;
  const time = { start_at, end_at, timezone, nights };
  const terms = { guest_number, total: total_price, pay_until: Date.parse(waiting.payment_expires_at) };
  return {
    ...about,
    stay: { ...about.stay, listing_id, listing_name, ...time, ...terms },
    listing,
    payUrl: waiting.payment_url,
    amountDue: waiting.amount_due,
    extras: waiting.extra_services.map(({ name }) => name),
  };
};

const readPayment = (table: Table, { pays_apart, order_id, reservation_id }: Reservation) =>
  table.get(PaymentEntity, { payment_id: pays_apart ? reservation_id : order_id });

/** Returns the lines of the price of a stay. */
export const readLines = async (
  table: Table,
  { order_id, reservation_id }: Reservation,
): Promise<ItemQuote['lines']> => {
  const order = await table.get(OrderEntity, { order_id });
  const item = order?.items.find((one) => one.reservation_id === reservation_id);
  return item ? thawQuote(item.quote).lines : [];
};

/** Who reads the facts. */
type Reader = Pick<Recipient, 'language' | 'isKnown'>;

interface FactInput extends Reader {
  about: BookingFacts;
  words: Words;
  money: (amount: number) => string;
}

/** Reasons that the service gives are translated, and others are as they were written. */
const isOwnReason = (reason: string): boolean => bookingWords.vi.reasons[reason] !== undefined;

/** Whether a member of the team has made the change, and not the guest, a partner or the service. */
const isByHost = ({ eventFacts: { actor = '' }, stay }: BookingFacts): boolean =>
  actor.startsWith('user:') && actor !== `user:${stay.guest.user_id}`;

/** Whether a refund goes through the gateway; one that has no charge is made by the host. */
const isByGateway = ({ eventFacts, stay }: BookingFacts): boolean =>
  eventFacts.payment_transaction_id === undefined
    ? chargesOf(stay).length > 0
    : eventFacts.payment_transaction_id !== null;

/** A change whose difference is paid later makes a stay dearer than was paid. */
const isPaidInPart = (stay: Reservation): boolean => isUnpaid(stay) && paidFor(stay) > 0;

/** Null or no text: the fact does not apply. */
type FactText = (input: FactInput) => string | readonly string[] | null;

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const factTexts: Record<FactName, FactText> = {
  booking: ({ about }) => String(about.stay.reservation_id),
  listing: ({ about }) => nameInMail(about.stay.listing_name),
  address: ({ about }) => withoutLinks(about.listing?.address ?? ''),
  check_in: ({ about, language }) => localTimeText(about.stay.start_at, language),
  check_out: ({ about, language }) => localTimeText(about.stay.end_at, language),
  nights: ({ about }) => (about.stay.nights > 0 ? String(about.stay.nights) : null),
  guests: ({ about }) => String(about.stay.guest_number),
  total: ({ about, money }) => money(about.stay.total),
  payment: ({ about: { stay }, words }) =>
    `${words.methods[stay.payment_method]}, ${isPaidInPart(stay) ? words.paidInPart : words.payments[stay.payment_status]}`,
  state: ({ about, words }) => words.states[about.stay.state],
  host: ({ about: { host } }) =>
    [nameInMail(host.name), host.phone, host.email].filter((line) => line !== ''),
  guest: ({ about }) => nameInMail(about.stay.guest.full_name),
  phone: ({ about }) => text(about.stay.guest.phone),
  email: ({ about }) => text(about.stay.guest.email),
  pay_until: ({ about, language }) => payUntilText(about, language),
  reason: ({ about, words, isKnown }) => {
    const reason = text(about.eventFacts.reason);
    if (reason === null) return null;
    if (isOwnReason(reason)) return words.reasons[reason] ?? reason;
    return isKnown || isByHost(about) ? reason : words.reasonElsewhere;
  },
  refund: ({ about, words, money }) => {
    const refund = about.eventFacts.refund;
    if (refund === undefined || refund <= 0) return words.refunds.none;
    const { stay } = about;
    const how = isPaidToPartner(stay)
      ? words.refundedByPartner(stay.external_system && nameInMail(stay.external_system))
      : words.refunds[isByGateway(about) ? 'ONLINE_GATEWAY' : 'CASH'];
    return `${money(refund)} (${how})`;
  },
  lines: ({ about, words, money }) =>
    (about.lines ?? []).map(({ kind, label, date, quantity, amount }) => {
      const named = kind === 'adjustment' ? nameInMail(label) : words.lines[kind];
      const what = date === undefined ? named : `${named} ${date}`;
      return `${what}${quantity > 1 ? ` × ${quantity}` : ''}: ${money(amount)}`;
    }),
  amount: ({ about, money }) => money(about.eventFacts.amount ?? about.stay.total),
  deposit_kept: ({ about, money }) => money(about.eventFacts.amount ?? 0),
  amount_due: ({ about: { amountDue, stay }, money }) => {
    if (amountDue !== undefined) return money(amountDue);
    const isPart = isPaidInPart(stay) || dueLaterFor(stay) > 0;
    return waitsForPayment(stay) && isPart ? money(dueFor(stay)) : null;
  },
  balance: ({ about: { stay }, language, words, money }) => {
    const dueAt = balanceDueAt(stay);
    if (dueAt === undefined || !isUnpaid(stay)) return null;
    const amount = money(dueLaterFor(stay));
    return stay.plan?.hours_before === 0
      ? words.balanceOnArrival(amount)
      : words.balanceUntil(amount, localTimeText(toLocal(dueAt, stay.timezone), language));
  },
  extras: ({ about }) => (about.extras ?? []).map(nameInMail).join(', '),
  transfer: ({ about: { transfer }, words }) =>
    transfer && [
      `${transfer.bank}, ${transfer.account_number}, ${nameInMail(transfer.account_name)}`,
      words.transferText(transfer.reference),
    ],
  method: ({ about: { eventFacts, stay }, words }) => words.methods[eventFacts.method ?? stay.payment_method],
  transaction: ({ about: { eventFacts, stay } }) =>
    // Of a payment, that one's own; null: no gateway took it.
    eventFacts.payment_transaction_id === undefined ? transactionOf(stay) : eventFacts.payment_transaction_id,
  access_shown: ({ about, words }) => (about.eventFacts.access_shown ? words.accessShown : null),
  wifi_name: ({ about }) => text(about.access?.wifi_name),
  wifi_password: ({ about }) => text(about.access?.wifi_password),
  door_code: ({ about }) =>
    Object.entries(about.access?.door_code ?? {}).map(
      ([door, code]) => `${door}: ${typeof code === 'string' ? code : JSON.stringify(code)}`,
    ),
};

/** Returns until when the guest may pay, in local time; null if no payment has a deadline. */
export const payUntilText = (
  { stay, payUrl, amountDue }: BookingFacts,
  language: WrittenLanguage,
): string | null => {
  const { pay_until, payment_method, timezone } = stay;
  const awaited =
    payUrl !== null || amountDue !== undefined || (payment_method === 'BANK_TRANSFER' && isUnsecured(stay));
  return awaited && pay_until !== undefined ? localTimeText(toLocal(pay_until, timezone), language) : null;
};

/** Returns the named facts with labels, without those that do not apply. */
export const factsOf = (
  names: readonly FactName[],
  about: BookingFacts,
  { language, isKnown }: Reader,
): Fact[] => {
  const words = bookingWords[language];
  const money = (amount: number) => moneyText(amount, about.stay.currency, language);
  return names.flatMap((name): Fact[] => {
    const value = factTexts[name]({ about, language, isKnown, words, money });
    return value === null || value.length === 0 ? [] : [[words.labels[name], value]];
  });
};
