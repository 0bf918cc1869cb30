import {
  type CalendarMonth,
  type FamilyMonth,
  familyMonths,
  type MonthIds,
  monthsOfChildren,
} from '../calendar/model.ts';
import type { Table } from '../../platform/table/index.ts';
import { ByteLimitedCache } from './byte-limited-cache.ts';

interface KeptMonth {
  /** Epoch milliseconds. */
  readAt: number;
  month: FamilyMonth;
}

/** The months of listings, with those of their parents and children, by {@link monthName}. */
export type MonthsByName = Map<string, FamilyMonth>;

export const monthName = ({ listing_id, month }: Pick<MonthIds, 'listing_id' | 'month'>): string =>
  `${listing_id} ${month}`;

/** What takes the time of listings, month by month, soft locks included, as it was read less than `keepMs` ago. */
export class KeptMonths {
  readonly #keepMs: number;
  readonly #months: ByteLimitedCache<KeptMonth>;

  constructor({ keepMs, maxBytes }: { keepMs: number; maxBytes: number }) {
    this.#keepMs = keepMs;
    this.#months = new ByteLimitedCache(maxBytes);
  }

  get bytes(): number {
    return this.#months.bytes;
  }

  /** Returns the months that are kept; the others are to be read, and then {@link add added}. */
  known(wanted: readonly MonthIds[], now: number): MonthsByName {
    const known: MonthsByName = new Map();
    for (const ids of wanted) {
      const name = monthName(ids);
      const kept = this.#months.get(name);
      if (kept && Math.abs(now - kept.readAt) < this.#keepMs) known.set(name, kept.month);
    }
    return known;
  }

  /** Keeps months as read, and returns them; children are read in addition where a month has counted any. */
  async add(
    table: Table,
    wanted: readonly MonthIds[],
    { items, now }: { items: readonly (CalendarMonth | undefined)[]; now: number },
  ): Promise<MonthsByName> {
    const found = items.filter((item) => item !== undefined);
    const children = await monthsOfChildren(table, found);
    const families = Map.groupBy([...found, ...children], familyName);
    const months: MonthsByName = new Map();
    for (const ids of wanted) {
      const { calendar_id, month } = ids;
      const [family] = familyMonths(families.get(familyName(ids)) ?? []);
      const joined = family ?? { calendar_id, month, taken: {}, locks: {} };
      this.#months.set(monthName(ids), { readAt: now, month: joined }, bytesOf(joined));
      months.set(monthName(ids), joined);
    }
    return months;
  }
}

const familyName = ({ calendar_id, month }: Pick<MonthIds, 'calendar_id' | 'month'>): string =>
  `${calendar_id} ${month}`;

/** The bytes in memory, roughly. */
const bytesOf = ({ taken, locks }: FamilyMonth): number =>
  300 + 300 * (Object.keys(taken).length + Object.keys(locks).length);
