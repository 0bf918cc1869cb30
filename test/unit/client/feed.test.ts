import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventsOptions } from '../../../client/src/types.ts';
import { failure, type Played, playedClient } from '../../support/played-client.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const page = (ids: string[], next_cursor: string, has_more = false): Played => ({
  body: { items: ids.map((id) => ({ id })), next_cursor, has_more },
});

/** Reads until an event, the end or an error; the delays pass at once. */
const read = async (answers: Played[], options: EventsOptions & { until?: string } = {}) => {
  const { until, ...rest } = options;
  const { client, sent } = playedClient(answers);
  const ids: string[] = [];
  const ended = (async () => {
    for await (const { id } of client.events(rest)) {
      ids.push(id);
      if (id === until) return undefined;
    }
    return undefined;
  })().catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  const error = await ended;
  return { ids, error, cursors: sent.map(({ url }) => new URL(url).searchParams.get('after')) };
};

describe('the feed of events', () => {
  it('is read from a cursor up to the newest event', async () => {
    const answers = [page(['a', 'b'], 'c1', true), page(['c'], 'c2')];
    const { ids, cursors } = await read(answers, { after: 'c0', follow: false });
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(cursors).toEqual(['c0', 'c1']);
  });

  it('is asked again for new events', async () => {
    const { client, sent } = playedClient([page(['a'], 'c1'), page([], 'c1'), page(['b'], 'c2')]);
    const events = client.events({ pollMs: 2_000, teamIds: [71, 72] });
    expect((await events.next()).value).toEqual({ id: 'a' });
    const next = events.next();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_001);
    expect((await next).value).toEqual({ id: 'b' });
    const parameters = new URL(sent[2]?.url ?? '').searchParams;
    expect(Object.fromEntries(parameters)).toEqual({ after: 'c1', limit: '100', team_ids: '[71,72]' });
    await events.return();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('pauses where a page has no events although it says that there are more', async () => {
    const { client, sent } = playedClient([page([], 'c1', true), page([], 'c1', true), page(['a'], 'c2')]);
    const next = client.events({ pollMs: 2_000 }).next();
    for (const [passedMs, requests] of [
      [1_999, 1],
      [2_000, 2],
      [2_000, 3],
    ] as const) {
      await vi.advanceTimersByTimeAsync(passedMs);
      expect(sent).toHaveLength(requests);
    }
    expect((await next).value).toEqual({ id: 'a' });
  });

  it('ends after three such pages where it does not follow, and after a page with events counts anew', async () => {
    const stuck = (cursor: string) => page([], cursor, true);
    const answers = [
      ...[stuck('c1'), stuck('c2'), page(['a'], 'c3', true)],
      ...[stuck('c4'), stuck('c5'), stuck('c6'), page(['b'], 'c7')],
    ];
    const { ids, cursors, error } = await read(answers, { follow: false });
    expect({ ids, error }).toEqual({ ids: ['a'], error: undefined });
    expect(cursors).toEqual([null, 'c1', 'c2', 'c3', 'c4', 'c5']);
  });

  it('saves a cursor once the events before it have been processed', async () => {
    const order: string[] = [];
    const saveCursor = async (cursor: string) => {
      await Promise.resolve();
      order.push(`saved ${cursor}`);
    };
    const { client } = playedClient([page(['a', 'b'], 'c1', true), page([], 'c1')]);
    for await (const { id } of client.events({ follow: false, saveCursor })) order.push(id);
    expect(order).toEqual(['a', 'b', 'saved c1']);
  });

  it('does not save a cursor where the processing of an event fails', async () => {
    const saveCursor = vi.fn();
    const { client } = playedClient([page(['a', 'b'], 'c1')]);
    const processing = (async () => {
      for await (const { id } of client.events({ saveCursor })) if (id === 'b') throw new Error('cannot');
    })();
    await expect(processing).rejects.toThrow('cannot');
    expect(saveCursor).not.toHaveBeenCalled();
  });

  it('goes on after an outage that is longer than the attempts of a call, from where it was', async () => {
    const outages: number[] = [];
    const down: Played[] = Array.from({ length: 30 }, (_, at) =>
      at % 2 === 0 ? 'lost' : failure(503, 'SERVICE_UNAVAILABLE'),
    );
    const { ids, cursors } = await read([page(['a'], 'c1'), ...down, page(['b'], 'c2')], {
      until: 'b',
      onOutage: ({ delayMs }) => outages.push(delayMs),
    });
    expect(ids).toEqual(['a', 'b']);
    expect(new Set(cursors.slice(1))).toEqual(new Set(['c1']));
    expect(outages).toHaveLength(7);
    expect(Math.max(...outages)).toBeLessThanOrEqual(60_000);
    expect(outages[6]).toBeGreaterThanOrEqual(30_000);
  });

  it('begins with a short delay in each outage', async () => {
    const outages: number[] = [];
    const down: Played[] = Array.from({ length: 12 }, () => 'lost');
    await read([...down, page([], 'c1'), ...down.slice(0, 4), page(['a'], 'c2')], {
      until: 'a',
      onOutage: ({ delayMs }) => outages.push(delayMs),
    });
    expect(outages).toHaveLength(4);
    expect(outages[2]).toBeGreaterThanOrEqual(4_000);
    expect(outages[3]).toBeLessThanOrEqual(2_000);
  });

  it('ends with an error that no waiting mends', async () => {
    const { error } = await read([failure(401, 'UNAUTHORIZED')]);
    expect(error).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });

  const outOfDate = failure(410, 'CURSOR_OUT_OF_DATE', {
    details: { cursor: 'oldest', missed_since: '2027-01-01T00:00:00.000Z' },
  });

  it('continues from the oldest event after a gap, once the gap was taken note of', async () => {
    const onGap = vi.fn();
    const answers = [outOfDate, page(['a'], 'c1')];
    const { ids, cursors } = await read(answers, { after: 'ancient', follow: false, onGap });
    expect(onGap).toHaveBeenCalledExactlyOnceWith({
      cursor: 'oldest',
      missedSince: '2027-01-01T00:00:00.000Z',
    });
    expect(ids).toEqual(['a']);
    expect(cursors).toEqual(['ancient', 'oldest']);
  });

  it('ends at a gap that nothing would take note of', async () => {
    const { error } = await read([outOfDate], { after: 'ancient' });
    expect(error).toMatchObject({ code: 'CURSOR_OUT_OF_DATE', details: { cursor: 'oldest' } });
  });

  it('ends with the reason of its signal: before it, while it waits, and in an outage', async () => {
    const reason = new Error('enough');
    expect((await read([], { signal: AbortSignal.abort(reason) })).error).toBe(reason);
    for (const answers of [[page([], 'c1')], ['lost', 'lost', 'lost', 'lost']] as Played[][]) {
      const control = new AbortController();
      setTimeout(() => control.abort(reason), 4_900);
      expect((await read(answers, { signal: control.signal })).error).toBe(reason);
      expect(vi.getTimerCount()).toBe(0);
    }
  });
});
