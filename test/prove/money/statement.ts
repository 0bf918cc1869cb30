import type { StatementRow } from '../../../shared/domain/statement/statement.schema.ts';
import type { Ledger } from './ledger.ts';
import { type By, charged, type Entry, fell, type Purse, rounded } from './purse.ts';

const zoneMs = 7 * 3_600_000;
/** No history has a platform, so its row is always empty. */
const collectors = ['HOST', 'PARTNER', 'GATEWAY', 'PLATFORM'] as const;
/** The percent of the price that is the commission's. */
const commission = 15;

const monthOf = (at: number): string => new Date(at + zoneMs).toISOString().slice(0, 7);

/** What a stay brings in a month (D132). */
interface Sums {
  gross: number;
  charges: number;
  fees: number;
  cash_on_hand: number;
  to_return: number;
  payments: Record<By, number>;
  refunds: Record<By, number>;
}

const emptySums = (): Sums => ({
  ...{ gross: 0, charges: 0, fees: 0, cash_on_hand: 0, to_return: 0 },
  payments: { HOST: 0, PARTNER: 0, GATEWAY: 0, PLATFORM: 0 },
  refunds: { HOST: 0, PARTNER: 0, GATEWAY: 0, PLATFORM: 0 },
});

const addEntry = (sums: Sums, purse: Purse, entry: Entry): void => {
  const { kind, amount, of = 0, isToReturn } = entry;
  const paid = purse.entries[of - 1] ?? entry;
  const isCash = (by: By | undefined, method: string | null | undefined): boolean =>
    by === 'HOST' && method === 'CASH';
  if (kind === 'change') sums.gross += amount;
  if (kind === 'charge') sums.charges += amount;
  if (kind === 'fee' || kind === 'deposit_kept') sums.fees += amount;
  if (kind === 'deposit_kept')
    sums.payments[entry.method === 'ONLINE_GATEWAY' ? 'GATEWAY' : 'HOST'] += amount;
  if (kind === 'deposit_taken' && entry.method === 'CASH') sums.cash_on_hand += amount;
  if (kind === 'deposit_returned' && entry.method === 'CASH') sums.cash_on_hand -= amount;
  if (kind === 'payment' || kind === 'correction') {
    const { by = 'GATEWAY', method } = kind === 'payment' ? entry : paid;
    sums.payments[by] += amount;
    if (isCash(by, method)) sums.cash_on_hand += amount;
  }
  if (kind !== 'refund') return;
  const by = entry.method === undefined ? (paid.by ?? 'GATEWAY') : 'HOST';
  sums.refunds[by] += amount;
  if (isToReturn) sums.to_return += amount;
  else if (isCash(by, entry.method ?? paid.method)) sums.cash_on_hand -= amount;
};

const sumsOf = (purse: Purse, month: string): Sums => {
  const sums = emptySums();
  const { entries, total, bookedAt, endedAt } = purse;
  const changed = entries.reduce((sum, { kind, amount }) => (kind === 'change' ? sum + amount : sum), 0);
  if (monthOf(bookedAt) === month) sums.gross += total - changed;
  // Money that came before the booking counts on the day of the booking.
  for (const entry of entries)
    if (monthOf(Math.max(entry.at, bookedAt)) === month) addEntry(sums, purse, entry);
  if (fell(purse) && endedAt !== undefined && monthOf(endedAt) === month) {
    sums.gross -= total;
    sums.charges -= charged(purse);
  }
  return sums;
};

/** Compares the rows of a month with the ledger: of each stay, which has a home of its own. */
export const statementDifferences = (
  { purses }: Ledger,
  rows: readonly StatementRow[],
  month: string,
): string[] =>
  purses.flatMap((purse) => {
    const row = rows.find(({ listing_id }) => listing_id === purse.listing);
    if (!row) return [`${month}: no row of ${purse.listing}`];
    const { payments, refunds, ...sums } = sumsOf(purse, month);
    const { gross, charges, fees } = sums;
    const cut = gross - rounded(gross * (100 - commission), 100);
    const kept = collectors.reduce((sum, by) => sum + payments[by] - refunds[by], 0);
    const wanted: Partial<StatementRow> = {
      ...sums,
      ...{ commission: cut, net: gross + charges + fees - cut, balance: gross + charges + fees - kept },
      collected: collectors.map((collector) => ({
        collector,
        payments: payments[collector],
        refunds: refunds[collector],
      })),
    };
    return Object.entries(wanted).flatMap(([name, value]) => {
      const has = row[name as keyof StatementRow];
      return JSON.stringify(has) === JSON.stringify(value)
        ? []
        : [`${month} of ${purse.id}: ${name} is ${JSON.stringify(has)}, not ${JSON.stringify(value)}`];
    });
  });
