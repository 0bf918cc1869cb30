import { dateOf, nightsBetween } from '../../../platform/time/time.ts';
import { endBy, type FeedItem, movedLike } from './feed-item.ts';
import { instantOf, type Moment, type Span, type ZoneOf } from './moment.ts';
import { among, dateWritten } from './occurrences.ts';

type Change = FeedItem & Required<Pick<FeedItem, 'replaces'>>;

export const isChange = (item: FeedItem): item is Change => item.replaces !== undefined;

/** Where an occurrence takes place. */
interface Place extends Required<Span> {
  kind: FeedItem['kind'];
}

/** What the events of one UID change of its series (RECURRENCE-ID): one occurrence, or it and all later ones. */
export class SeriesChanges {
  readonly #isReplaced: (start: Moment) => boolean;
  /** Those of all later ones, in order. */
  readonly #ranges: readonly Change[];
  readonly #zoneOf: ZoneOf;
  /** How far from its place in the series an occurrence may take time. */
  readonly reachDays: number;

  constructor(changes: readonly Change[], zoneOf: ZoneOf) {
    this.#zoneOf = zoneOf;
    this.#isReplaced = among(
      changes.map(({ replaces }) => replaces.moment),
      zoneOf,
    );
    this.#ranges = changes
      .filter(({ replaces }) => replaces.andLater)
      .map((change) => ({ change, at: instantOf(change.replaces.moment) }))
      .sort((one, other) => one.at - other.at)
      .map(({ change }) => change);
    this.reachDays = this.#ranges.reduce((most, change) => Math.max(most, reachOf(change)), 0);
  }

  /** Undefined: another event replaces the occurrence, or has ended the series. */
  placeOf(item: FeedItem, { start, end }: Span): Place | undefined {
    if (this.#isReplaced(start)) return undefined;
    const mover = this.#lastBefore(start);
    if (!mover) return { start, end: end ?? item.endOf(start), kind: item.kind };
    if (mover.kind === 'CANCELLED') return undefined;
    const moved = movedLike(start, mover.replaces.moment, mover.start);
    return { start: moved, end: end ? endBy(start, end)(moved) : mover.endOf(moved), kind: mover.kind };
  }

  /** By bisection: every occurrence of a calendar is looked up. */
  #lastBefore(start: Moment): Change | undefined {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const range = this.#ranges[middle];
      if (range && this.#isBefore(range.replaces.moment, start)) low = middle + 1;
      else high = middle;
    }
    return this.#ranges[low - 1];
  }

  #isBefore(moment: Moment, start: Moment): boolean {
    return moment.isDate || start.isDate
      ? dateWritten(moment, this.#zoneOf) < dateOf(start.local)
      : instantOf(moment) < instantOf(start);
  }
}

const reachOf = ({ replaces, start, endOf }: Change): number => {
  const dates = [replaces.moment, start, endOf(start)].map(({ local }) => dateOf(local)).sort();
  return nightsBetween(dates.at(0) ?? '', dates.at(-1) ?? '') + 1;
};
