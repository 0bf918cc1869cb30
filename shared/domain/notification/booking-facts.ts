import type { EventOf } from '../../events.ts';
import type { Dependencies } from '../../platform/context.ts';
import type { Table } from '../../platform/table/index.ts';
import { toInstant } from '../../platform/time/time.ts';
import {
  guestUrl,
  isUnpaid,
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
  type DepositChange,
  type GuestField,
} from '../booking/model.ts';
import { dueFor, dueLaterFor, type TakenMethod } from '../folio/model.ts';
import { type Listing, readListing } from '../listing/model.ts';
import { PaymentEntity } from '../payment/model.ts';
import type { MailWords } from './mail-words.ts';
import { guestContact, type HostContact } from '../people/index.ts';
import type { ItemQuote } from '../pricing/model.ts';
import type { Transfer } from '../transfer/model.ts';

/** What only the event contains: who has made the change, the state at that time, and the reason. */
type EventFacts = Pick<EventOf<BookingEventType>['data'], 'state' | 'reason' | 'refund'> & {
  /** Of a cancelled stay: its guest could read the door code. */
  access_shown?: boolean | undefined;
  amount?: number | undefined;
  action?: DepositChange;
  /** Of a correction of the guest. */
  fields?: readonly GuestField[] | undefined;
  actor?: string;
  /** Of a payment: how it came, and the charge. */
  method?: TakenMethod | undefined;
  payment_transaction_id?: string | null | undefined;
  /** Of a refund: the first that was decided with it. */
  decision?: number | undefined;
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
  /** The page of the guest (D122); null: there is no link. */
  guestUrl: string | null;
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
  /** The team's own words for this mail to its guest. */
  own?: MailWords;
}

type FactDependencies = Pick<Dependencies, 'table' | 'clock' | 'log' | 'sealing'> & {
  pages?: string | undefined;
};

/** Reads the data for mails about a booking. Throws if the booking does not exist yet, so that the queue retries. */
export const readBookingFacts = async (
  deps: FactDependencies,
  reservationId: number,
  eventFacts: EventFacts = {},
): Promise<BookingFacts> => {
  const { table, clock, pages } = deps;
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
  const page = openPageOf(clock.now(), await withDuePages(table, found), [stay]);
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
    guestUrl: pages === undefined ? null : await guestUrl(deps, stay, { from: 'm', pages }),
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

/** Reads the same data with the page on which the security deposit is authorised; without a page if none is open (D131). */
export const readDepositFacts = async (
  deps: FactDependencies,
  reservationId: number,
): Promise<BookingFacts> => {
  const about = await readBookingFacts(deps, reservationId);
  const { stay, now } = about;
  const { url = null, ends_at = 0 } = stay.deposit_hold ?? {};
  return { ...about, stay: { ...stay, pay_until: ends_at }, payUrl: now < ends_at ? url : null };
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
