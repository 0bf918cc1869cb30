import { type Item, itemsOf } from '../../memory/values.ts';
import type { Home } from '../town.ts';
import type { Transaction } from './host-bank.ts';

export interface Stay {
  reservation_id: number;
  order_id: number;
  listing_id: number;
  team_id: number;
  key_id: number | null;
  state: string;
  payment_method: string;
  payment_status: string;
  total: number;
  start_at: string;
  end_at: string;
  created_at: string;
  lapsed_at?: number;
  pending_change?: object;
  postings?: { kind: string; amount: number; method?: string; reference?: string }[];
}

export interface Transfer {
  team_id: number;
  state: string;
  amount: number;
  rest: number;
  account_number: string;
  bank_reference: string;
  booking_ids: number[];
}

const dayMs = 24 * 60 * 60_000;

/** The longest preparation after stays. */
const besideMs = dayMs;

const instantOf = (local: string): number => Date.parse(`${local}+07:00`);

/** A reference is the id of its order in base 36, with a check digit. */
const orderOf = (reference: string): number => Number.parseInt(reference.slice(0, 10), 36) * 16;

/** What a transaction of the bank has become. */
export const recordsOf = (items: readonly Item[], { id, account }: Pick<Transaction, 'id' | 'account'>) =>
  itemsOf<Transfer>(items, 'BankTransfer').filter(
    ({ bank_reference, account_number }) => bank_reference === id && account_number === account,
  );

interface Place {
  now: number;
  items: readonly Item[];
  homes: readonly Home[];
}

const waits = (stay: Stay): boolean =>
  stay.state === 'CONFIRMED' && stay.payment_status === 'PENDING' && stay.pending_change === undefined;

/** Whether only money is missing to have a stay that lapsed again. */
const isFree = (stay: Stay, amount: number, { now, items, homes }: Place): boolean => {
  const { postings = [], lapsed_at = 0, key_id, listing_id } = stay;
  const isLapsed = stay.state === 'CANCELLED' && lapsed_at > 0 && key_id === null;
  const charges = postings
    .filter(({ kind }) => kind === 'charge')
    .reduce((sum, one) => sum + Math.abs(one.amount), 0);
  const isPaid = postings.some(({ kind }) => kind === 'payment');
  const home = items.find(({ entity, id }) => entity === 'Listing' && id === listing_id);
  if (!isLapsed || isPaid || home?.['state'] !== 'ACTIVE' || home['team_id'] !== stay.team_id) return false;
  if (amount < stay.total + charges || now + dayMs / 24 > instantOf(stay.start_at)) return false;
  if (now > lapsed_at + 6 * dayMs) return false;
  const own = homes.find(({ id }) => id === listing_id);
  const family = homes.filter(
    ({ id, isRoom, isHouse }) =>
      id === listing_id || (own && (own.isRoom || own.isHouse) && (isRoom || isHouse)),
  );
  const ids = new Set(family.map(({ id }) => id));
  const from = instantOf(stay.start_at) - besideMs;
  const to = instantOf(stay.end_at) + besideMs;
  return !itemsOf<{ listing_id: number; start_at: string; end_at: string }>(items, 'AvailabilityEntry').some(
    (entry) => ids.has(entry.listing_id) && instantOf(entry.start_at) < to && instantOf(entry.end_at) > from,
  );
};

/** Looks at the order that the text of a transaction names, before and after the report is taken that came alone. */
export const watchReport = (
  place: () => Place,
  fail: (problem: string) => void,
): { look: (transaction: Transaction) => () => void } => ({
  look: (transaction) => {
    const { id, team, kind, amount, reference } = transaction;
    const staysIn = ({ items }: Place): Stay[] =>
      itemsOf<Stay>(items, 'Reservation').filter(
        ({ order_id, team_id, payment_method }) =>
          reference !== undefined &&
          order_id === orderOf(reference) &&
          team_id === team &&
          payment_method === 'BANK_TRANSFER',
      );
    const before = place();
    const stays = staysIn(before);
    return () => {
      const after = place();
      const record = recordsOf(after.items, transaction).find((one) => one.amount === amount);
      if (kind !== 'in' || !record || record.booking_ids.length > 0) return;
      const later = new Map(staysIn(after).map((stay) => [stay.reservation_id, stay]));
      for (const stay of stays) {
        const then = later.get(stay.reservation_id);
        if (then && waits(stay) && waits(then))
          fail(
            `${id} has paid nothing of stay ${stay.reservation_id}, which it names and which waits for it`,
          );
        if (then && stays.length === 1 && isFree(stay, amount, before) && isFree(then, amount, after))
          fail(`${id} has not restored stay ${stay.reservation_id}, which it names and whose time is free`);
      }
    };
  },
});
