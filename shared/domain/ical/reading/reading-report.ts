import type { FeedItem } from './feed-item.ts';

/** How the events of a calendar were read; each counts once, a series as one. */
export interface ReadCounts {
  events: number;
  taken: number;
  /** Marked as free. */
  free: number;
  cancelled: number;
  /** Of which nothing lies within the time that is read. */
  past: number;
  /** In part: they take the longer of the possible times. */
  not_understood: number;
}

const mostProblems = 10;

/** What was read of a calendar (D114): every event is in one of the counts. */
export class ReadingReport {
  readonly #counts: ReadCounts = { events: 0, taken: 0, free: 0, cancelled: 0, past: 0, not_understood: 0 };
  /** The events of each doubt. */
  readonly #doubts = new Map<string, Set<FeedItem>>();
  readonly #doubted = new Set<FeedItem>();

  doubt(item: FeedItem, doubts: readonly string[]): void {
    for (const doubt of doubts) {
      this.#doubted.add(item);
      this.#doubts.set(doubt, (this.#doubts.get(doubt) ?? new Set()).add(item));
    }
  }

  /** Counts an event, which has time to come or none. */
  count(item: FeedItem, takes: boolean): void {
    this.#counts.events += 1;
    this.#counts[this.#fateOf(item, takes)] += 1;
  }

  #fateOf(item: FeedItem, takes: boolean): Exclude<keyof ReadCounts, 'events'> {
    if (item.kind === 'CANCELLED') return 'cancelled';
    if (!takes) return 'past';
    if (item.kind === 'FREE') return 'free';
    return this.#doubted.has(item) ? 'not_understood' : 'taken';
  }

  result(): { read: ReadCounts; problems: string[] } {
    const { free } = this.#counts;
    const doubts = [...this.#doubts].map(([doubt, items]) => `${eventsText(items.size)}: ${doubt}.`);
    const told = free > 0 ? [`${eventsText(free)} marked as free: no time is taken.`] : [];
    return { read: this.#counts, problems: [...told, ...doubts].slice(0, mostProblems) };
  }
}

const eventsText = (count: number): string => (count === 1 ? '1 event' : `${count} events`);
