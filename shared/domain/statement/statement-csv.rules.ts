import { collectors, type Statement, type StatementRow } from './statement.schema.ts';

type Cell = string | number | null;

/** Spreadsheets read UTF-8 by the byte order mark, and a text that begins like a formula as one. */
const byteOrderMark = '\uFEFF';
const formulaLike = /^[=+\-@\t\r]/;

const first = [
  ...(['listing_id', 'listing_name', 'currency', 'nights_sold', 'nights_available', 'occupancy'] as const),
  ...(['room_revenue', 'adr', 'revpar', 'gross', 'charges', 'fees', 'commission', 'net'] as const),
];
const last = ['balance', 'cash_on_hand', 'to_return'] as const;
const collected = collectors.flatMap((who) =>
  ['payments', 'refunds'].map((what) => `${what}_${who.toLowerCase()}`),
);

/** Returns a statement as CSV (RFC 4180) with a header, its month in the first column; null is empty. */
export const statementCsv = ({ month, rows }: Statement): string =>
  byteOrderMark +
  [['month', ...first, ...collected, ...last], ...rows.map((row) => cellsOf(month, row))]
    .map((line) => `${line.map(cellText).join(',')}\r\n`)
    .join('');

const cellsOf = (month: string, row: StatementRow): Cell[] => [
  month,
  ...first.map((name) => row[name]),
  ...row.collected.flatMap(({ payments, refunds }) => [payments, refunds]),
  ...last.map((name) => row[name]),
];

const cellText = (value: Cell): string => {
  if (typeof value !== 'string') return String(value ?? '');
  const text = formulaLike.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
