import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withProgress } from '../../../infra/local/progress.ts';

const lines: string[] = [];
const watch = { log: (line: string) => lines.push(line), line: (seconds: number) => `${seconds} s` };

beforeEach(() => {
  lines.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Work that takes so long, and lets timers have their turn. */
const lasting = (ms: number) => () => new Promise((resolve) => setTimeout(resolve, ms, 'done'));

describe('long work', () => {
  it('says every 5 seconds how long it has taken, and nothing once it is over', async () => {
    const work = withProgress(watch, lasting(12_000));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([await work, lines]).toEqual(['done', ['5 s', '10 s']]);
  });

  it('says nothing when it is quick', async () => {
    const work = withProgress(watch, lasting(4000));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([await work, lines]).toEqual(['done', []]);
  });

  it('may say its first line sooner', async () => {
    const work = withProgress({ ...watch, firstMs: 1000 }, lasting(7000));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([await work, lines]).toEqual(['done', ['1 s', '6 s']]);
  });

  it('says its lines by its own ticks where it leaves timers no turn', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    await withProgress(watch, async (tick) => {
      for (let second = 1; second <= 11; second++) {
        await Promise.resolve();
        now.mockReturnValue(second * 1000);
        tick();
      }
    });
    expect(lines).toEqual(['5 s', '10 s']);
  });

  it('stops saying so when it fails', async () => {
    const work = withProgress(watch, () => Promise.reject(new Error('no')));
    await expect(work).rejects.toThrow('no');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines).toEqual([]);
  });
});
