import { type Amount, money, roundMoney, sum, toNumber, zero } from '../../platform/money.ts';
import { addDays, dateOf, datesBetween, today, toLocal } from '../../platform/time/time.ts';
import { type Reservation, shownPostings, stayedUntil, takesPlace } from '../booking/model.ts';
import { isByGateway } from '../folio/model.ts';
import type { Listing } from '../listing/model.ts';
import { earningOf } from '../pricing/model.ts';
import { collectors, type StatementRow } from './statement.schema.ts';

type Collector = (typeof collectors)[number];
type Figure =
  | ('gross' | 'charges' | 'fees' | 'commission' | 'cash_on_hand' | 'to_return')
  | `${'payments' | 'refunds'} ${Collector}`;
type ShownPosting = ReturnType<typeof shownPostings>[number];

/** An amount that belongs to a figure. */
interface Entry {
  figure: Figure;
  amount: Amount;
}

/** What a stay brings in a month. */
interface MonthOfStay {
  stay: Reservation;
  nights: number;
  /** Not rounded: its price, by its nights. */
  roomRevenue: Amount;
  entries: Entry[];
}

/** Returns the first date after a month. */
export const monthEnd = (month: string): string => `${addDays(`${month}-28`, 4).slice(0, 7)}-01`;

/** Returns what the folio of a stay shows of a month, and its nights, by the time zone of the stay. */
export const monthOfStay = (stay: Reservation, month: string): MonthOfStay => {
  const postings = shownPostings(stay);
  const entries = postings.flatMap((posting) =>
    monthOfPosting(posting, stay) === month ? entriesOf(posting, postings) : [],
  );
  const all = nightsOf(stay);
  const nights = all.filter((date) => date.startsWith(month)).length;
  const roomRevenue = nights === 0 ? zero : money(stay.total).times(nights).div(all.length);
  return { stay, nights, roomRevenue, entries };
};

/** Money that came before the booking counts on the day of the booking: there is nothing that it pays for before. */
const monthOfPosting = ({ at }: ShownPosting, { created_at, timezone }: Reservation): string =>
  toLocal(Date.parse(at < created_at ? created_at : at), timezone).slice(0, 7);

const nightsOf = (stay: Reservation): string[] =>
  takesPlace(stay.state) ? datesBetween(stay.check_in_date, dateOf(stayedUntil(stay))) : [];

const entriesOf = (posting: ShownPosting, postings: readonly ShownPosting[]): Entry[] => {
  const amount = money(posting.amount);
  switch (posting.kind) {
    case 'stay':
    case 'change':
      return [{ figure: 'gross', amount }];
    case 'charge':
      return [{ figure: 'charges', amount }];
    case 'fee':
      return [{ figure: 'fees', amount }];
    case 'deposit_taken':
    case 'deposit_returned':
      return depositEntries(posting);
    case 'deposit_kept':
      return [
        { figure: 'fees', amount },
        { figure: `payments ${isByGateway(posting) ? 'GATEWAY' : 'HOST'}`, amount },
      ];
    case 'refund':
      return refundEntries(posting, paidBy(posting, postings));
    case 'payment':
    case 'correction': {
      const { collected_by, method } = paidBy(posting, postings);
      const collector = collected_by ?? 'GATEWAY';
      return [
        { figure: `payments ${collector}`, amount },
        ...(isCash(collector, method) ? [{ figure: 'cash_on_hand' as const, amount }] : []),
      ];
    }
  }
};

/** A deposit that is held is no income; taken in cash, it is on hand. */
const depositEntries = ({ kind, amount, method }: ShownPosting): Entry[] =>
  method === 'CASH'
    ? [{ figure: 'cash_on_hand', amount: money(kind === 'deposit_taken' ? amount : -amount) }]
    : [];

/** Returns the payment that a posting takes back, else the posting itself. */
const paidBy = (posting: ShownPosting, postings: readonly ShownPosting[]): ShownPosting =>
  postings.find(({ kind, id }) => kind === 'payment' && id === posting.of) ?? posting;

const isCash = (collector: Collector, method: ShownPosting['method']): boolean =>
  collector === 'HOST' && method === 'CASH';

/** A refund with a method is handed over by the host, also of what came in another way. */
const refundEntries = (refund: ShownPosting, paid: ShownPosting): Entry[] => {
  const amount = money(refund.amount);
  const collector = refund.method === null ? (paid.collected_by ?? 'GATEWAY') : 'HOST';
  const made: Entry = { figure: `refunds ${collector}`, amount };
  if (refund.to_return) return [made, { figure: 'to_return', amount }];
  return isCash(collector, refund.method ?? paid.method)
    ? [made, { figure: 'cash_on_hand', amount: zero.minus(amount) }]
    : [made];
};

const amountOf = (entries: readonly Entry[], wanted: Figure): Amount =>
  sum(entries.filter(({ figure }) => figure === wanted).map(({ amount }) => amount));

/** Whether the price of a stay was posted, changed or reversed in a month: commission is due of it. */
export const movesPrice = ({ entries }: MonthOfStay): boolean =>
  entries.some(({ figure }) => figure === 'gross');

/** Returns the same with its commission: what the total of the price is above the earning of a quote. */
export const withCommission = (month: MonthOfStay, rate: number): MonthOfStay => {
  const gross = amountOf(month.entries, 'gross');
  const amount = gross.minus(earningOf(gross, rate, month.stay.currency));
  return { ...month, entries: [...month.entries, { figure: 'commission', amount }] };
};

/** Returns the rows of a month: of every ACTIVE listing, and of others with nights or postings. */
export const statementRows = (
  month: string,
  months: readonly MonthOfStay[],
  listings: readonly Listing[],
): StatementRow[] => {
  const known = new Map(listings.map((listing) => [listing.id, listing]));
  const groups = new Map<string, Group>();
  const groupOf = (named: Named): Group => {
    const key = `${named.listing_id} ${named.currency}`;
    const group = groups.get(key) ?? { ...named, months: [] };
    groups.set(key, group);
    return group;
  };
  for (const { id, name, currency, state } of listings)
    if (state === 'ACTIVE') groupOf({ listing_id: id, listing_name: name, currency });
  for (const one of months) {
    if (one.nights === 0 && one.entries.length === 0) continue;
    const { listing_id, listing_name, currency } = one.stay;
    const name = known.get(listing_id)?.name ?? listing_name;
    groupOf({ listing_id, listing_name: name, currency }).months.push(one);
  }
  return [...groups.values()]
    .sort((one, other) => one.listing_id - other.listing_id || (one.currency < other.currency ? -1 : 1))
    .map((group) => rowOf(group, nightsAvailable(known.get(group.listing_id), month)));
};

type Named = Pick<StatementRow, 'listing_id' | 'listing_name' | 'currency'>;

/** The stays of a listing in one currency. */
interface Group extends Named {
  months: MonthOfStay[];
}

const nightsAvailable = (listing: Listing | undefined, month: string): number | null => {
  if (listing?.state !== 'ACTIVE') return null;
  const created = today(Date.parse(listing.created_at), listing.timezone);
  const first = `${month}-01`;
  return datesBetween(created > first ? created : first, monthEnd(month)).length;
};

const rowOf = ({ months, ...named }: Group, available: number | null): StatementRow => {
  const { currency } = named;
  const entries = months.flatMap((one) => one.entries);
  const figure = (name: Figure): Amount => amountOf(entries, name);
  const sold = months.reduce((total, { nights }) => total + nights, 0);
  const revenue = sum(months.map(({ roomRevenue }) => roomRevenue));
  const by = (nights: number | null): number | null =>
    nights === null || nights === 0 ? null : toNumber(roundMoney(revenue.div(nights), currency));
  const [gross, charges, fees] = [figure('gross'), figure('charges'), figure('fees')];
  const payable = gross.plus(charges).plus(fees);
  const collected = collectors.map((collector) => {
    const [payments, refunds] = [figure(`payments ${collector}`), figure(`refunds ${collector}`)];
    return { collector, payments, refunds, kept: payments.minus(refunds) };
  });
  const commission = figure('commission');
  return {
    ...named,
    nights_sold: sold,
    nights_available: available,
    occupancy:
      available === null || available === 0 ? null : Math.round((sold / available) * 10_000) / 10_000,
    room_revenue: toNumber(roundMoney(revenue, currency)),
    adr: by(sold),
    revpar: by(available),
    gross: toNumber(gross),
    charges: toNumber(charges),
    fees: toNumber(fees),
    commission: toNumber(commission),
    net: toNumber(payable.minus(commission)),
    collected: collected.map(({ collector, payments, refunds }) => ({
      collector,
      payments: toNumber(payments),
      refunds: toNumber(refunds),
    })),
    balance: toNumber(payable.minus(sum(collected.map(({ kept }) => kept)))),
    cash_on_hand: toNumber(figure('cash_on_hand')),
    to_return: toNumber(figure('to_return')),
  };
};
