import { describe, expect, it } from 'vitest';
import { playBookings, playFeed } from './flows.ts';
import { hostile, usual } from './manners.ts';

const timeout = 120_000;

describe('on a usual day', () => {
  it(
    'search knows 200 bookings a second in one city within 5 s, and no message fails',
    { timeout },
    async () => {
      const { p99_ms, ...report } = await playBookings({ perSecond: 200, seconds: 4, manners: usual }, 1);
      expect(report).toMatchObject({ failures: 0, problems: [] });
      expect(p99_ms).toBeLessThanOrEqual(5000);
    },
  );

  it('the feed of a team with 50 webhooks has 200 events a second within 2 s', { timeout }, async () => {
    const { p99_ms, ...report } = await playFeed({ perSecond: 200, seconds: 3, manners: usual }, 1);
    expect(report).toMatchObject({ failures: 0, problems: [] });
    expect(p99_ms).toBeLessThanOrEqual(2000);
  });
});

describe('a flow', () => {
  it('goes the same way with the same seed', { timeout }, async () => {
    const play = () => playFeed({ perSecond: 20, seconds: 1, manners: usual }, 7);
    expect(await play()).toEqual(await play());
  });
});

describe('over a hostile table', () => {
  it('no message fails, and nothing is missing at the end', { timeout }, async () => {
    const flow = { perSecond: 40, seconds: 2, manners: hostile };
    expect(await playBookings(flow, 2)).toMatchObject({ failures: 0, problems: [] });
    expect(await playFeed(flow, 2)).toMatchObject({ failures: 0, problems: [] });
  });
});
