import { NightlatchError } from './errors.ts';
import { backoffMs, isPassing, wait } from './retry.ts';
import type { EventsOptions, FeedGap } from './types.ts';

interface EventPage {
  items: unknown[];
  next_cursor: string;
  has_more: boolean;
}

/** Reads the page of events after a cursor. */
export type ReadPage = (after: string | undefined, options: EventsOptions) => Promise<EventPage>;

const defaultPollMs = 5_000;
/** A page without events that says that there are more is asked for again after a pause, so often where nothing is followed. */
const mostEmptyPages = 3;
const outage = { firstMs: 2_000, maxMs: 60_000 };

/**
 * Returns the events after a cursor, each once: an outage of the service is waited for. A cursor is saved when the events
 * before it have been processed, so that after a crash the last page is read again and nothing is missed.
 */
export async function* readFeed(
  readPage: ReadPage,
  options: EventsOptions,
): AsyncGenerator<unknown, void, undefined> {
  let after = options.after;
  let failures = 0;
  let emptyPages = 0;
  for (;;) {
    options.signal?.throwIfAborted();
    let page: EventPage;
    try {
      page = await readPage(after, options);
      failures = 0;
    } catch (error) {
      options.signal?.throwIfAborted();
      const gap = gapOf(error);
      if (gap && options.onGap) {
        await options.onGap(gap);
        after = gap.cursor;
      } else if (isPassing(error)) {
        failures += 1;
        const delayMs = backoffMs(failures, outage);
        options.onOutage?.({ error, delayMs });
        await wait(delayMs, options.signal);
      } else throw error;
      continue;
    }
    yield* page.items;
    if (page.next_cursor !== after) await options.saveCursor?.(page.next_cursor);
    after = page.next_cursor;
    emptyPages = page.items.length > 0 ? 0 : emptyPages + 1;
    if (page.has_more && emptyPages === 0) continue;
    if (options.follow === false && (!page.has_more || emptyPages === mostEmptyPages)) return;
    await wait(options.pollMs ?? defaultPollMs, options.signal);
  }
}

const gapOf = (error: unknown): FeedGap | undefined => {
  if (!(error instanceof NightlatchError) || error.code !== 'CURSOR_OUT_OF_DATE') return undefined;
  const { cursor, missed_since } = error.details as { cursor: string; missed_since: string | null };
  return { cursor, missedSince: missed_since };
};
