import { localTimeText, moneyText, type WrittenLanguage } from '../../platform/text/language.ts';
import { nameInMail, withoutLinks } from '../../platform/mail/name-in-mail.ts';
import { toLocal } from '../../platform/time/time.ts';
import { isUnpaid, isUnsecured, waitsForPayment } from '../booking/index.ts';
import { adjustmentsOfReason, balanceDueAt, type Reservation, totalOf } from '../booking/model.ts';
import {
  chargedFor,
  chargesOf,
  dueFor,
  dueLaterFor,
  isByPartner,
  isPaidToPartner,
  paidFor,
  type Posting,
  refundsDecided,
  refundsOfEnd,
  toReturnFor,
  transactionOf,
} from '../folio/model.ts';
import type { BookingFacts } from './booking-facts.ts';
import type { Fact } from './mail-layout.ts';
import type { Recipient } from './recipients.ts';
import { bookingWords } from './words/booking-words.ts';
import type { FactName } from './words/booking-labels.ts';
import type { Words } from './words/words.ts';

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

/** REFUNDED is what was decided: the guest may not have it yet. */
const paymentText = (stay: Reservation, words: Words): string => {
  if (isPaidInPart(stay)) return words.paidInPart;
  const isRefundToCome = stay.payment_status === 'REFUNDED' && toReturnFor(stay) > 0;
  return isRefundToCome ? words.refundToCome : words.payments[stay.payment_status];
};

/** What this payment was; of none, as in a preview, all that was paid. */
const amountOf = ({ eventFacts, stay }: BookingFacts): number => eventFacts.amount ?? paidFor(stay);

/** A single payment is all that was paid: one line says so. */
const isSaid = (name: FactName, about: BookingFacts): boolean =>
  name === 'amount' && amountOf(about) === paidFor(about.stay);

type Share = ReturnType<typeof refundsDecided>[number];

/** Returns the refunds that were decided together, of which a mail is: several where several payments go back (D123). */
const sharesOf = ({ stay, eventFacts }: BookingFacts): Share[] => {
  const { decision, refund, payment_transaction_id: charge } = eventFacts;
  if (decision !== undefined) return refundsDecided(stay, decision);
  if (charge !== undefined) return [];
  const ended = refundsOfEnd(stay);
  return refund === totalOf(ended.map((share) => share.refund.amount)) ? ended : [];
};

const byPartner = ({ external_system }: Reservation, words: Words): string =>
  words.refundedByPartner(external_system && nameInMail(external_system));

const shareText = (
  { refund, payment }: Share,
  { stay }: BookingFacts,
  { words, money }: Pick<FactInput, 'words' | 'money'>,
): string => {
  const isTheirs = payment !== undefined && isByPartner(payment) && refund.method === undefined;
  const how = isTheirs ? byPartner(stay, words) : wayOf(refund, payment, words);
  return `${money(refund.amount)} (${how}${refund.is_due ? `, ${words.refundUnderWay}` : ''})`;
};

/** A refund that the host makes is said to have been handed over when that is recorded (D127). */
const wayOf = (refund: Posting, payment: Posting | undefined, words: Words): string => {
  if (refund.refund_id !== undefined) return words.refunds.ONLINE_GATEWAY;
  const method = refund.method ?? payment?.method;
  const by = words.refundedByHost[refund.to_return ? 'later' : 'done'];
  return method === undefined || method === 'OTHER' ? by : `${by}: ${words.methods[method]}`;
};

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
    `${words.methods[stay.payment_method]}, ${paymentText(stay, words)}`,
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
    const adjusted = adjustmentsOfReason(reason);
    if (adjusted) return words.adjusted[adjusted.kind](nameInMail(adjusted.labels));
    return isKnown || isByHost(about) ? reason : words.reasonElsewhere;
  },
  refund: ({ about, words, money }) => {
    const shares = sharesOf(about);
    if (shares.length > 1)
      return [
        money(totalOf(shares.map(({ refund }) => refund.amount))),
        ...shares.map((share) => shareText(share, about, { words, money })),
      ];
    const refund = about.eventFacts.refund;
    if (refund === undefined || refund <= 0) return words.refunds.none;
    const [share] = shares;
    if (share?.refund.amount === refund) return shareText(share, about, { words, money });
    const { stay } = about;
    const how = isPaidToPartner(stay)
      ? byPartner(stay, words)
      : words.refunds[isByGateway(about) ? 'ONLINE_GATEWAY' : 'CASH'];
    return `${money(refund)} (${how})`;
  },
  lines: ({ about, words, money }) =>
    (about.lines ?? []).map(({ kind, label, date, quantity, amount }) => {
      const named = kind === 'adjustment' ? nameInMail(label) : words.lines[kind];
      const what = date === undefined ? named : `${named} ${date}`;
      return `${what}${quantity > 1 ? ` × ${quantity}` : ''}: ${money(amount)}`;
    }),
  charges: ({ about: { stay }, money }) => (chargedFor(stay) > 0 ? money(chargedFor(stay)) : null),
  amount: ({ about, money }) => money(amountOf(about)),
  paid: ({ about: { stay }, money }) => money(paidFor(stay)),
  deposit: ({ about: { stay }, money }) => (stay.deposit_hold ? money(stay.deposit_hold.amount) : null),
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
  transaction: ({ about }) => {
    const { eventFacts, stay } = about;
    const shares = sharesOf(about);
    if (shares.length > 1)
      return shares.flatMap(({ refund, payment }) => (refund.refund_id && payment?.reference) || []);
    // Of a payment, that one's own; null: no gateway took it.
    return eventFacts.payment_transaction_id === undefined
      ? transactionOf(stay)
      : eventFacts.payment_transaction_id;
  },
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

/** Returns a fact as text, in lines; none if it does not apply. */
export const factTextOf = (
  name: FactName,
  about: BookingFacts,
  { language, isKnown }: Reader,
): readonly string[] => {
  const words = bookingWords[language];
  const money = (amount: number) => moneyText(amount, about.stay.currency, language);
  return [factTexts[name]({ about, language, isKnown, words, money }) ?? []].flat();
};

/** Returns the named facts with labels, without those that do not apply. */
export const factsOf = (names: readonly FactName[], about: BookingFacts, reader: Reader): Fact[] => {
  const { labels } = bookingWords[reader.language];
  return names.flatMap((name): Fact[] => {
    const lines = isSaid(name, about) ? [] : factTextOf(name, about, reader);
    return lines.some((line) => line !== '') ? [[labels[name], lines]] : [];
  });
};
