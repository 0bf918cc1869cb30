import type { Dependencies } from '../../platform/context.ts';
import { type DueItem, type DueList, duePartition, dueShardOf } from '../../platform/due/index.ts';
import { sortable, type Table } from '../../platform/table/index.ts';
import { hourMs, minuteMs } from '../../platform/time/time.ts';
import { type DueBooking, DueBookingEntity, dueBookings } from '../booking/model.ts';
import { duePayments } from '../payment/model.ts';
import { type EventPage, pageKeptMs, readPagesSince } from '../webhook/model.ts';

/** The time of events that have to be in the feed, in epoch milliseconds: from `from`, before `to`. */
export interface AuditWindow {
  from: number;
  to: number;
}

/** The clocks of instances differ, and a page is closed by another instance than the one that wrote an event. */
const clockSkewMs = minuteMs;
/** Due work that fails is deferred by at most an hour, and the clocks of instances differ. */
const longestDeferralMs = 61 * minuteMs;
/** TTL goes by another clock. */
const feedMarginMs = 2 * hourMs;

/** Reads of one audit. What several orders need is read once. */
export class AuditReading {
  readonly table: Table;
  readonly consistent: boolean;
  readonly window: AuditWindow;
  /** Listings with more reviews are left out. */
  readonly maxReviews: number;
  readonly #clock: Dependencies['clock'];
  readonly #pages = new Map<number, Promise<EventPage[]>>();
  readonly #dues = new Map<string, Promise<ReadonlySet<number>>>();

  constructor(
    { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
    window: AuditWindow,
    { consistent, maxReviews = 500 }: { consistent: boolean; maxReviews?: number },
  ) {
    this.table = table;
    this.#clock = clock;
    this.window = window;
    this.consistent = consistent;
    this.maxReviews = maxReviews;
  }

  /** Returns a strongly consistent reading that has read nothing yet. */
  again(): AuditReading {
    const { table, window, maxReviews } = this;
    return new AuditReading({ table, clock: this.#clock }, window, { consistent: true, maxReviews });
  }

  /**
   * Whether an event of this time has to be in pages that were read before: it is in the window, and its page has not
   * expired by now. A round may be old when it is continued, and TTL deletes expired pages in any order.
   */
  isInFeed(occurredAt: number): boolean {
    return occurredAt >= this.#feedFrom() && occurredAt < this.window.to;
  }

  /** Returns the pages of a team's feed that may contain the events of the window, in their order, without expired ones. */
  async pagesOf(teamId: number): Promise<EventPage[]> {
    return (await this.#pagesOf(teamId)).filter(this.#isWithin());
  }

  /**
   * Returns the first event of a team's feed that is kept, if the pages before were deleted; else undefined. By the clock that is
   * long before the window, unless the clock was turned back.
   */
  async keptFrom(teamId: number): Promise<string | undefined> {
    const [first] = await this.#pagesOf(teamId);
    if (!first || first.number === 1 || !this.#isWithin()(first)) return undefined;
    return first.entries[0]?.id;
  }

  #pagesOf(teamId: number): Promise<EventPage[]> {
    const { table, consistent } = this;
    const read = () => readPagesSince(table, teamId, this.#feedFrom() - clockSkewMs, { consistent });
    return remembered(this.#pages, teamId, read);
  }

  #isWithin(): (page: EventPage) => boolean {
    const since = this.#feedFrom() - clockSkewMs;
    return ({ closed_at }) => closed_at === null || closed_at >= since;
  }

  #feedFrom(): number {
    return Math.max(this.window.from, this.#clock.now() - pageKeptMs + feedMarginMs);
  }

  /** Drops what was read of feeds, which is needed for some teams at a time. */
  forgetPages(): void {
    this.#pages.clear();
  }

  async isPaymentDue(paymentId: number): Promise<boolean> {
    const due = await this.#dueIn(duePayments, paymentId, ({ payment_id }) => payment_id);
    return due.has(paymentId);
  }

  /** Looks where the item has to be; what has come is read with its shard, since it may have been deferred. */
  async isBookingDue({ reservation_id, due_at }: DueBooking): Promise<boolean> {
    const { table, consistent } = this;
    const item = await table.get(DueBookingEntity, { reservation_id, due_at }, { consistent });
    if (item || due_at > this.#clock.now()) return item !== undefined;
    const due = await this.#dueIn(
      dueBookings,
      reservation_id,
      (one) => one.reservation_id,
      this.#clock.now() + longestDeferralMs,
    );
    return due.has(reservation_id);
  }

  /** Reads the shard of an id from its start: items only move towards its end, so none is missed. */
  #dueIn<Item extends DueItem>(
    { partition, entity }: DueList<Item>,
    id: number,
    idOf: (item: Item) => number,
    until = Number.MAX_SAFE_INTEGER,
  ): Promise<ReadonlySet<number>> {
    const pk = duePartition(partition, dueShardOf(id));
    const { table, consistent } = this;
    return remembered(
      this.#dues,
      pk,
      async () =>
        new Set((await table.queryAll(entity, { pk, to: `${sortable(until)}~`, consistent })).map(idOf)),
    );
  }
}

const remembered = <Key, Value>(
  known: Map<Key, Promise<Value>>,
  key: Key,
  read: () => Promise<Value>,
): Promise<Value> => {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
};
