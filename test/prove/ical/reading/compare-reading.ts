import { FeedProblem } from '../../../../shared/domain/ical/reading/components.ts';
import { readFeed } from '../../../../shared/domain/ical/reading/read-feed.ts';
import { toLocal } from '../../../../shared/platform/time/time.ts';
import type { Answer, Request } from './independent-reader.ts';
import { type Home, type Hours, mergeHours, msOfHours, takenHours, takesAll } from './taken-hours.ts';

/** `reported`: ours says that it does not understand all of it, and takes at least as much, or refuses it with a reason. */
export type Verdict = 'same' | 'reported' | 'differs';

export interface Compared {
  verdict: Verdict;
  home: Home;
  now: string;
  ours: Hours[] | string;
  theirs: Hours[] | string;
}

const dayMs = 86_400_000;
/** As far ahead as a stay can end (D114). */
const spanDays = 1095;

/** The hours in which both are compared: from the present one of the listing to the end of what a reader works out. */
const spanAt = (home: Home, nowMs: number): Hours => [
  toLocal(nowMs, home.timezone).slice(0, 13),
  `${toLocal(nowMs + spanDays * dayMs, home.timezone).slice(0, 10)}T00`,
];

/** Asked of a few days more at either end, since zones are up to 26 hours apart and nights are longer than their dates. */
export const requestOf = (text: string, home: Home, moments: readonly number[]): Request => ({
  text,
  zone: home.timezone,
  spans: moments.map((now) => [
    new Date(now - 3 * dayMs).toISOString(),
    new Date(now + (spanDays + 3) * dayMs).toISOString(),
  ]),
});

/** What our reader takes of a home, from the present hour on; a text: why it refuses. */
export const hoursRead = (
  text: string,
  home: Home,
  nowMs: number,
): { hours: Hours[]; isReported: boolean } | string => {
  try {
    const { events, problems } = readFeed(text, home, nowMs);
    const intervals = events.map(({ start_at, end_at }) => msOfHours([start_at, end_at]));
    return { hours: mergeHours(intervals, spanAt(home, nowMs)), isReported: problems.length > 0 };
  } catch (error) {
    if (error instanceof FeedProblem) return error.message;
    throw error;
  }
};

/** Reads a text for a home at several moments and compares each with what the independent reader answered. */
export const compareReading = (
  text: string,
  home: Home,
  moments: readonly number[],
  answer: Answer,
): Compared[] =>
  moments.map((nowMs, at) => {
    const ours = hoursRead(text, home, nowMs);
    const theirs =
      'error' in answer ? answer.error : takenHours(answer.spans[at] ?? [], home, spanAt(home, nowMs));
    const found = { home, now: new Date(nowMs).toISOString(), theirs };
    if (typeof ours === 'string')
      return { ...found, ours, verdict: typeof theirs === 'string' ? 'same' : 'reported' };
    const isSame = JSON.stringify(ours.hours) === JSON.stringify(theirs);
    const isMore = typeof theirs === 'string' || takesAll(ours.hours, theirs);
    return {
      ...found,
      ours: ours.hours,
      verdict: isSame ? 'same' : ours.isReported && isMore ? 'reported' : 'differs',
    };
  });
