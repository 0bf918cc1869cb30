import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { objectives } from '../../shared/platform/metrics/objectives.ts';
import { type AlarmScene, alarmScene, replay, type Trace } from '../support/alarm-scene.ts';
import { CloudWatch, minutes } from '../support/cloudwatch.ts';

const start = Date.parse('2027-01-15T03:00:00Z');

let cloud: CloudWatch;
let s: AlarmScene;
beforeAll(async () => {
  cloud = new CloudWatch();
  s = await alarmScene();
}, 120_000);
beforeEach(() => cloud.forget());

/** All kinds of requests as they go well, refusals included. */
const wellTraces = async () => {
  const { confirm, preview, search, listings, unknownListing } = s.requests;
  const traces = {
    confirm: await s.traceOf(() => confirm()),
    changed: await s.traceOf(() => confirm({ expected_total: 1 })),
    preview: await s.traceOf(preview),
    search: await s.traceOf(search),
    listings: await s.traceOf(listings),
    unknownListing: await s.traceOf(unknownListing),
  };
  return traces;
};

const repeat = (trace: Trace, count: number): Trace[] => Array.from({ length: count }, () => trace);
const firstOf = (rang: readonly string[][], name: string): number =>
  rang.findIndex((names) => names.includes(name));

describe('a service-level objective', () => {
  it('counts an answer once, where its alarms look: 0 for what went well or was decided, 1 for a 5xx', async () => {
    const well = await wellTraces();
    expect(Object.values(well).map(({ status }) => status)).toEqual([201, 409, 200, 200, 200, 404]);
    const counted = Object.values(well).map(({ figures }) =>
      figures.map(({ name, value, dimensions }) => [name, value, dimensions]),
    );
    const dimensions = { stage: 'dev' };
    expect(counted).toEqual([
      [['confirm_failed', 0, dimensions]],
      [['confirm_failed', 0, dimensions]],
      [['booking_failed', 0, dimensions]],
      [['search_failed', 0, dimensions]],
      [['partner_failed', 0, dimensions]],
      [['partner_failed', 0, dimensions]],
    ]);
    const failed = await s.traceOf(() => s.requests.confirm(), 'no-writes');
    expect(failed.status).toBe(503);
    expect(failed.figures.filter(({ name }) => name === 'confirm_failed')).toMatchObject([{ value: 1 }]);
    const asked = await s.traceOf(() => s.requests.played('busy'));
    expect(asked.status).toBe(503);
    expect(asked.figures).toEqual([]);
  });

  it('is quiet for hours of traffic that goes well, and with a failure now and then', async () => {
    const well = Object.values(await wellTraces());
    const failed = await s.traceOf(() => s.requests.confirm(), 'no-writes');
    const rang = await minutes(cloud, { from: start, count: 420 }, (now, minute) => {
      replay(cloud, now, well);
      if (minute === 200) replay(cloud, now, [failed]);
    });
    expect(rang.flat().filter((name) => name !== 'schedules-still')).toEqual([]);
  });

  it('rings within 5 minutes when every confirm fails, whatever the other traffic, and is over 5 minutes after', async () => {
    const { confirm, preview, search, listings } = await wellTraces();
    const failed = await s.traceOf(() => s.requests.confirm(), 'no-writes');
    const others = [...repeat(preview, 10), ...repeat(search, 60), ...repeat(listings, 30)];
    const outage = { from: 120, to: 135 };
    const rang = await minutes(cloud, { from: start, count: 240 }, (now, minute) => {
      replay(cloud, now, others);
      replay(cloud, now, [minute >= outage.from && minute < outage.to ? failed : confirm]);
    });
    const burning = rang.map((names) => names.includes('confirm-burn'));
    expect(firstOf(rang, 'confirm-burn')).toBeLessThanOrEqual(outage.from + 5);
    expect(burning.slice(outage.from + 5, outage.to)).not.toContain(false);
    expect(burning.lastIndexOf(true)).toBeLessThan(outage.to + 30);
    for (const objective of ['booking', 'search', 'partner'])
      expect(firstOf(rang, `${objective}-burn`)).toBe(-1);
    // The share of all requests stays below 1 in 100: the alarm of the whole gateway would have missed it.
    expect(firstOf(rang, 'api-server-errors')).toBe(-1);
  }, 60_000);

  it.each([
    ['booking', 'preview'],
    ['search', 'search'],
    ['partner', 'listings'],
  ] as const)('of %s rings when DynamoDB throttles the table', async (objective, request) => {
    const failed = await s.traceOf(s.requests[request], 'throttled');
    expect(failed.status).toBe(503);
    const rang = await minutes(cloud, { from: start, count: 20 }, (now) => replay(cloud, now, [failed]));
    expect(firstOf(rang, `${objective}-burn`)).toBeGreaterThanOrEqual(0);
    expect(firstOf(rang, 'table-refusals')).toBeGreaterThan(0);
    expect(firstOf(rang, 'api-server-errors')).toBeGreaterThanOrEqual(0);
  });

  it('counts requests that no function could count, because it crashed', async () => {
    for (const [objective, request] of Object.entries({
      confirm: s.requests.confirm,
      booking: s.requests.preview,
      search: s.requests.search,
      partner: s.requests.listings,
    })) {
      cloud.forget();
      const crashed = await s.traceOf(() => request(), 'crashed');
      expect(crashed).toMatchObject({ figures: [], line: { refusal: expect.stringMatching(/_/) as string } });
      const rang = await minutes(cloud, { from: start, count: 6 }, (now) => replay(cloud, now, [crashed]));
      expect(rang.at(-1)).toContain(`${objective}-burn`);
      expect(rang.at(-1)?.filter((name) => name.endsWith('-burn'))).toHaveLength(1);
    }
  });

  it('that burns slowly rings within hours, not at once', async () => {
    const { preview } = await wellTraces();
    const failed = await s.traceOf(s.requests.preview, 'throttled');
    // 1 of 100 fails: above 6 times the budget, below 14.4 times.
    const rang = await minutes(cloud, { from: start, count: 8 * 60 }, (now, minute) =>
      replay(
        cloud,
        now,
        minute < 120 || minute % 10 > 0 ? repeat(preview, 10) : [...repeat(preview, 9), failed],
      ),
    );
    const first = firstOf(rang, 'booking-burn');
    expect(first).toBeGreaterThan(150);
    expect(rang[first]).not.toContain('api-server-errors');
  });

  it('does not ring for two failures in a quiet night', async () => {
    const failed = await s.traceOf(() => s.requests.confirm(), 'no-writes');
    const rang = await minutes(cloud, { from: start, count: 60 }, (now, minute) => {
      if (minute === 10 || minute === 12) replay(cloud, now, [failed]);
    });
    expect(rang.flat().filter((name) => name.endsWith('-burn'))).toEqual([]);
  });

  it('rings for two failures of its group in a quiet night when the API has failed elsewhere too', async () => {
    const failed = await s.traceOf(() => s.requests.confirm(), 'no-writes');
    const elsewhere = await s.traceOf(s.requests.search, 'throttled');
    const rang = await minutes(cloud, { from: start, count: 20 }, (now, minute) => {
      if (minute === 10 || minute === 12) replay(cloud, now, [failed]);
      if (minute === 14) replay(cloud, now, [elsewhere]);
    });
    expect(firstOf(rang, 'confirm-burn')).toBe(14);
  });

  it('has an alarm each', () => {
    expect([...cloud.composites.keys()].sort()).toEqual(
      Object.keys(objectives)
        .map((name) => `${name}-burn`)
        .sort(),
    );
  });
});
