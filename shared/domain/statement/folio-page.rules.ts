import { html, type Html } from '../../platform/text/html.ts';
import { localTimeText, moneyText, type WrittenLanguage } from '../../platform/text/language.ts';
import { toLocal } from '../../platform/time/time.ts';
import {
  type Folio,
  type Order,
  type PresentedPosting,
  type Reservation,
  thawQuote,
  totalOf,
} from '../booking/model.ts';
import { bookingLabels, folioWords } from '../notification/model.ts';
import type { ItemQuote } from '../pricing/model.ts';

type QuoteLine = ItemQuote['lines'][number];

/** A folio with what its page says beside it. */
interface PrintedFolio {
  folio: Folio;
  order: Pick<Order, 'items'>;
  stays: readonly Reservation[];
  teamNames: readonly string[];
  language: WrittenLanguage;
  /** Epoch milliseconds. */
  now: number;
}

export const folioStyle = `body{max-width:46rem;margin:2rem auto;padding:0 1rem;color:#22252b;font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{margin:0;font-size:1.6rem}
h2{margin:1.5rem 0 .25rem;font-size:1.1rem}
p{margin:.25rem 0}
table{width:100%;border-collapse:collapse}
th,td{padding:.3rem .75rem .3rem 0;border-top:1px solid #ddd;text-align:left;vertical-align:top}
tr>:last-child{padding-right:0;text-align:right;font-variant-numeric:tabular-nums}
.sum>*{border-top:2px solid #22252b;font-weight:bold}
@page{margin:18mm}
@media print{body{max-width:none;margin:0;padding:0;color:#000}tr,h2{break-inside:avoid}h2{break-after:avoid}}`;

/** Returns the page of a folio to print: a receipt, or while something is due, now or later, the draft of an invoice (D132). */
export const folioPage = (printed: PrintedFolio): { title: string; content: Html } => {
  const { folio, stays, teamNames, language, now } = printed;
  const [words, own] = [bookingLabels[language], folioWords[language]];
  const money = moneyIn(printed);
  const { amount_due_later: later, balance_due_at: dueAt } = folio;
  const isReceipt = folio.amount_due === 0 && later === 0 && folio.amount_paid > 0;
  const title = `${isReceipt ? own.receipt : own.draft} ${folio.booking_id}`;
  const zones = [...new Set(stays.map(({ timezone }) => timezone))];
  const local = (at: number): string => localTimeText(toLocal(at, zones[0] ?? 'UTC'), language);
  const content = html`<h1>${title}</h1>
    <p>${teamNames.join(', ')}</p>
    ${facts([
      [words.labels.booking, String(folio.booking_id)],
      [words.labels.guest, [...new Set(stays.map(({ guest }) => guest.full_name))].join(', ')],
      [own.issued, local(now)],
    ])}
    ${stays.map((stay) => stayPart(stay, printed))} ${moneyPart(printed)}
    ${facts(
      [
        [words.labels.total, money(totalOf(folio.postings.filter(isPayable).map(({ amount }) => amount)))],
        [words.labels.paid, money(folio.amount_paid)],
        [own.refunded, money(folio.amount_refunded)],
        ...(folio.balance < 0 ? [[own.credit, money(-folio.balance)] as const] : []),
        ...(dueAt === null
          ? []
          : [[words.labels.balance, words.balanceUntil(money(later), local(Date.parse(dueAt)))] as const]),
      ],
      [words.labels.amount_due, money(folio.amount_due)],
    )}
    ${depositPart(printed)}
    <p>${own.note} ${zones.map((zone) => html`${words.localTime(zone)} `)}</p>`;
  return { title, content };
};

const moneyIn =
  ({ folio, language }: PrintedFolio) =>
  (amount: number): string =>
    moneyText(amount, folio.currency, language);

type Fact = readonly [label: string, value: string];

const facts = (given: readonly Fact[], sum?: Fact): Html =>
  html`<table>
    ${given.map(([label, value]) => factRow('fact', label, value))}${sum ? [factRow('sum', ...sum)] : []}
  </table>`;

const factRow = (kind: string, label: string, value: string): Html =>
  html`<tr class="${kind}">
    <th scope="row">${label}</th>
    <td>${value}</td>
  </tr>`;

/** What a stay costs; payments, refunds and deposits are apart. */
const isPayable = ({ kind }: PresentedPosting): boolean =>
  kind === 'stay' || kind === 'change' || kind === 'charge' || kind === 'fee';

/** A stay with the lines of its price, its charges and, once it fell through, what takes them out and the fee. */
const stayPart = (stay: Reservation, printed: PrintedFolio): Html => {
  const { folio, language } = printed;
  const words = bookingLabels[language];
  const money = moneyIn(printed);
  const postings = folio.postings.filter(({ booking_id }) => booking_id === stay.reservation_id);
  const payable = postings.filter(isPayable);
  const rows = [
    ...linesOf(stay, printed).map((line): Fact => [lineText(line, language), money(line.amount)]),
    // The lines have what it cost first, with its changes.
    ...payable
      .slice(1)
      .filter(({ kind }) => kind !== 'change')
      .map((posting): Fact => [postingText(posting, postings, stay, language), money(posting.amount)]),
  ];
  return html`<h2>${stay.listing_name} (${stay.reservation_id})</h2>
    <p>
      ${words.labels.check_in}: ${localTimeText(stay.start_at, language)}<br />
      ${words.labels.check_out}: ${localTimeText(stay.end_at, language)}<br />
      ${words.labels.guests}: ${stay.guest_number} · ${words.labels.state}: ${words.states[stay.state]}
    </p>
    ${facts(rows, [words.labels.total, money(totalOf(payable.map(({ amount }) => amount)))])}`;
};

const linesOf = ({ reservation_id }: Reservation, { order }: PrintedFolio): readonly QuoteLine[] => {
  const item = order.items.find((one) => one.reservation_id === reservation_id);
  return item ? thawQuote(item.quote).lines : [];
};

const times = (quantity: number | null): string =>
  quantity !== null && quantity > 1 ? ` × ${quantity}` : '';

/** What a host has named is written so; the other labels are English. */
const lineText = ({ kind, label, date, quantity }: QuoteLine, language: WrittenLanguage): string => {
  const isNamed = kind === 'adjustment' || kind === 'service' || kind === 'combo';
  const what = isNamed ? label : bookingLabels[language].lines[kind];
  return `${what}${date === undefined ? '' : ` ${date}`}${times(quantity)}`;
};

/** A charge, what takes one out, the fee of a stay that fell through, or what takes its price and charges out. */
const postingText = (
  posting: PresentedPosting,
  postings: readonly PresentedPosting[],
  { state }: Reservation,
  language: WrittenLanguage,
): string => {
  const { kind, label, quantity, of } = posting;
  const own = folioWords[language];
  if (kind === 'fee') return own.fee;
  if (label !== null) return `${label}${times(quantity)}`;
  const charge = of === null ? undefined : postings.find(({ id }) => id === of);
  return charge ? `${charge.label} (${own.takenOut})` : bookingLabels[language].states[state];
};

/** What came in and what was refunded, by day; empty where nothing did. */
const moneyPart = (printed: PrintedFolio): Html => {
  const { folio, stays, language } = printed;
  const own = folioWords[language];
  const money = moneyIn(printed);
  const zoneOf = new Map(stays.map(({ reservation_id, timezone }) => [reservation_id, timezone]));
  const moved = folio.postings.filter(({ kind }) => moneyKinds.has(kind));
  if (moved.length === 0) return html``;
  return html`<h2>${own.payments}</h2>
    <table>
      <thead>
        <tr>
          ${[own.date, own.what, own.reference, own.amount].map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${moved.map((posting) => {
          const { at, booking_id, kind, amount, reference } = posting;
          const local = toLocal(Date.parse(at), zoneOf.get(booking_id) ?? 'UTC');
          return html`<tr>
            <td>${localTimeText(local, language)}</td>
            <td>${movedText(posting, folio.postings, language)}</td>
            <td>${reference ?? ''}</td>
            <td>${money(kind === 'refund' ? -amount : amount)}</td>
          </tr>`;
        })}
      </tbody>
    </table>`;
};

const moneyKinds: ReadonlySet<PresentedPosting['kind']> = new Set(['payment', 'correction', 'refund']);

/** A refund without a method goes back as its payment came. */
const movedText = (
  posting: PresentedPosting,
  postings: readonly PresentedPosting[],
  language: WrittenLanguage,
): string => {
  const own = folioWords[language];
  const { booking_id, of, to_return } = posting;
  const what = own[posting.kind as 'payment' | 'correction' | 'refund'];
  const paid = postings.find(
    (one) => one.kind === 'payment' && one.booking_id === booking_id && one.id === of,
  );
  const { collected_by } = paid ?? posting;
  const method = posting.method ?? paid?.method;
  const how = [
    ...(method ? [bookingLabels[language].methods[method]] : []),
    ...(collected_by === 'PARTNER' ? [own.byPartner] : []),
    ...(to_return ? [own.toReturn] : []),
  ];
  return [what, ...how].join(', ');
};

/** The security deposit, which is in no other sum; empty where there is none. */
const depositPart = (printed: PrintedFolio): Html => {
  const { folio, language } = printed;
  const [own, words, money] = [folioWords[language], bookingLabels[language], moneyIn(printed)];
  const { amount, held, kept, returned } = folio.security_deposit;
  if (Math.max(amount, held, kept, returned) === 0) return html``;
  return html`<h2>${own.deposit}</h2>
    <p>${own.apart}</p>
    ${facts([
      [own.amount, money(amount)],
      [own.held, money(held)],
      [words.labels.deposit_kept, money(kept)],
      [own.returned, money(returned)],
    ])}`;
};
