import { expect, it } from 'vitest';
import { playRush } from './rush.ts';

const timeout = 300_000;
const mostOf = (units: readonly { partition: string; units: number }[], kind: string): number =>
  Math.max(...units.filter(({ partition }) => partition.startsWith(kind)).map((one) => one.units));

it(
  '1,000 bookings a second of 100 teams: each is answered, all is known in time, no key is hot',
  { timeout },
  async () => {
    const report = await playRush({ perSecond: 1000, seconds: 1, teams: 100, homes: 10, seed: 1 });
    expect(report.answers).toEqual({ 201: 1000 });
    expect(report.answered.p99).toBeLessThanOrEqual(200);
    for (const [consumer, { failures, p99 }] of Object.entries(report.consumers)) {
      expect(failures, consumer).toBe(0);
      expect(p99, consumer).toBeLessThanOrEqual(2000);
    }
    expect(mostOf(report.busiest, 'write')).toBeLessThan(150);
    expect(mostOf(report.busiest, 'read')).toBeLessThan(450);
  },
);

it(
  '300 bookings a second of one team: its feed is the hottest key, below its limit',
  { timeout },
  async () => {
    const report = await playRush({ perSecond: 300, seconds: 2, teams: 1, homes: 100, seed: 1 });
    expect(report.answers).toEqual({ 201: 600 });
    for (const [consumer, { failures, p99 }] of Object.entries(report.consumers)) {
      expect(failures, consumer).toBe(0);
      expect(p99, consumer).toBeLessThanOrEqual(2000);
    }
    const feed = mostOf(report.busiest, 'write TEAM#…#EVENTS');
    expect(feed).toBe(mostOf(report.busiest, 'write'));
    expect(feed).toBeLessThan(1000);
  },
);
