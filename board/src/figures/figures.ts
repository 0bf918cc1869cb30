import type { StatementRow } from '@nightlatch/client';

export const measures = ['occupancy', 'room_revenue', 'adr', 'revpar', 'nights_sold'] as const;
export type Measure = (typeof measures)[number];
type Figures = Readonly<Record<Measure, number | null>>;

interface OfHome extends Figures {
  listing_id: number;
  listing_name: string;
}

/** The figures of the homes that are sold in a currency. Amounts of two currencies are never added. */
export interface OfCurrency {
  currency: string;
  total: Figures;
  homes: OfHome[];
}

const sum = (rows: readonly StatementRow[], of: (row: StatementRow) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Homes that are not open now have no nights that could be sold: occupancy and RevPAR are of the others. */
const totalOf = (rows: readonly StatementRow[]): Figures => {
  const open = rows.filter(({ nights_available }) => nights_available !== null);
  const available = sum(open, ({ nights_available }) => nights_available ?? 0);
  const nights_sold = sum(rows, (row) => row.nights_sold);
  const room_revenue = sum(rows, (row) => row.room_revenue);
  return {
    occupancy: share(
      sum(open, (row) => row.nights_sold),
      available,
    ),
    room_revenue,
    adr: share(room_revenue, nights_sold),
    revpar: share(
      sum(open, (row) => row.room_revenue),
      available,
    ),
    nights_sold,
  };
};

/** Returns the figures by currency, the homes with the most revenue first. */
export const figuresOf = (rows: readonly StatementRow[]): OfCurrency[] =>
  [...new Set(rows.map(({ currency }) => currency))].toSorted().map((currency) => {
    const homes = rows.filter((row) => row.currency === currency);
    return {
      currency,
      total: totalOf(homes),
      homes: homes.toSorted((one, other) => other.room_revenue - one.room_revenue),
    };
  });

/** Returns the months that can be chosen, the latest first: `from` and `to` count from this one. */
export const monthsAround = (today: string, from: number, to: number): string[] => {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return Array.from({ length: to - from + 1 }, (_, at) => {
    const count = year * 12 + month - 1 + to - at;
    return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`;
  });
};
