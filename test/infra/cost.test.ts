import { describe, expect, it } from 'vitest';
import { sealedFunctions } from '../../infra/cloud/grants.ts';
import { billOf, readPrices, sumOf, times, withoutFree } from '../../infra/cost/bill.ts';
import { printBill } from '../../infra/cost/print-bill.ts';
import { readArguments } from '../../infra/cost/read-arguments.ts';
import { pricesOfResource } from '../../infra/cost/resources.ts';
import {
  alarmMetrics,
  assumed,
  boardUsage,
  bookingUsage,
  canaries,
  idleUsage,
  measured,
  monthOf,
  searchUsage,
} from '../../infra/cost/usage.ts';
import { board, boardIdentity, boardStage, devStage, productionStage, stageWith } from './cloud/stages.ts';
import { synthesize } from './cloud/synthesized.ts';

const typesOf = (templates: Record<string, Record<string, unknown>>): string[] => [
  ...new Set(
    Object.values(templates).flatMap((template) =>
      Object.values((template['Resources'] ?? {}) as Record<string, { Type: string }>).map(
        ({ Type }) => Type,
      ),
    ),
  ),
];

const { prices } = readPrices();
const price = (free: number) => ({ service: 'Table', unit: 'write', usd: 1, per: 1, free });

describe('the bill', () => {
  it('is quantity by price, summed by service', () => {
    const small = {
      a: { service: 'Table', unit: 'write', usd: 0.5, per: 1_000_000 },
      b: { service: 'Table', unit: 'read', usd: 0.25, per: 1_000_000 },
      c: { service: 'Alarms', unit: 'alarm', usd: 0.1, per: 1 },
    };
    const usage = sumOf(times(1_000_000, { a: 16, b: 4 }), { c: 30 }, { c: 10 });
    expect(billOf(usage, { prices: small })).toEqual({ Table: 9, Alarms: 4 });
  });

  it('takes off what is free, and never more than is used', () => {
    const usage = withoutFree({ a: 5, b: 30 }, { prices: { a: price(10), b: price(10) } });
    expect(usage).toEqual({ a: 0, b: 20 });
  });

  it('refuses a quantity without a price', () => {
    expect(() => billOf({ unknown: 1 }, { prices })).toThrow('unknown');
  });

  it('of a month is that of an idle one, of its bookings and of its searches', () => {
    const month = monthOf(1000, 100, {});
    const writes = 1000 * (measured.confirm.writeUnits + measured.consumers.writeUnits);
    expect(month['dynamodb_write']).toBeCloseTo(writes);
    expect(month['gateway_request']).toBeCloseTo(1000 * 2 + 1000 * 100);
    const idle = Object.entries(monthOf(0, 100, {})).filter(([, quantity]) => quantity > 0);
    expect(idle).toEqual(Object.entries(idleUsage({})).filter(([, quantity]) => quantity > 0));
    for (const usage of [month, bookingUsage(), searchUsage()])
      for (const quantity of Object.values(usage)) expect(quantity).toBeGreaterThanOrEqual(0);
  });

  it('of a stage with a canary has its requests, bookings, key and metrics', () => {
    const runs = 730 * 12;
    const idle = monthOf(0, 100, {});
    const month = monthOf(0, 100, { [canaries]: 1, 'AWS::WAFv2::WebACL': 1 });
    const more = (name: string) => (month[name] ?? 0) - (idle[name] ?? 0);
    const { requests, writeUnits } = measured.canary;
    expect(more('gateway_request')).toBeCloseTo(runs * requests);
    expect(more('waf_request')).toBeCloseTo(runs * requests);
    expect(more('dynamodb_write')).toBeCloseTo(runs * (writeUnits + 2 * measured.consumers.writeUnits));
    expect(more('secret')).toBe(1);
    // Its own, and those of the three objectives.
    expect(more('custom_metric')).toBe(4);
    expect(month['ses_mail'] ?? 0).toBe(0);
  });

  it('of a board has the requests of its openings, and nothing else by the hour', () => {
    const [unopened, opened] = [boardUsage(0), boardUsage(10_000)];
    const most = (usage: typeof opened) =>
      Object.values(billOf(usage, { prices })).reduce((a, b) => a + b, 0);
    expect(most(unopened)).toBeLessThan(0.01);
    expect(opened['cloudfront_request']).toBe(10_000 * assumed.filesOfOpening);
    expect(most(opened)).toBeLessThan(0.1);
  });

  it('has a request to KMS each 5 minutes for every function that calls the table', () => {
    const keyTimes = (730 * 60) / 5;
    const keys = (bookings: number, canary: number) =>
      monthOf(bookings, 100, { 'AWS::Lambda::Function': 37, [canaries]: canary })['kms_request'];
    expect(keys(0, 0)).toBeCloseTo(6 * keyTimes);
    expect(keys(0, 1)).toBeCloseTo((6 + 2 + 6) * keyTimes);
    for (const canary of [0, 1]) expect(keys(1, canary)).toBeCloseTo(37 * keyTimes);
  });

  it('has the data key, and a request to KMS for each instance that uses it', () => {
    const resources = { 'AWS::KMS::Key': 1 };
    expect(monthOf(0, 100, resources)['kms_key']).toBe(1);
    const requests = (given: Record<string, number>) => monthOf(1, 100, given)['kms_request'] ?? 0;
    expect(requests(resources) - requests({})).toBeCloseTo(sealedFunctions.length * ((730 * 60) / 30));
  });

  describe('has the traces', () => {
    const seconds = 730 * 3600;
    const runs = 730 * 60 * (3 + 3 / 5);
    const traces = (bookings: number, searches: number, canary = 0) =>
      (monthOf(bookings, searches, { [canaries]: canary })['xray_trace'] ?? 0) - runs;

    it('of every run of a schedule', () => {
      expect(traces(0, 0)).toBe(0);
    });

    it('of nearly every request where few come, and of each second and 5 % of the rest where many come', () => {
      // The gateway's, the publisher's and those of six consumers.
      expect(traces(100, 0) / (100 * (2 + 7))).toBeCloseTo(1, 3);
      const many = 1_000_000_000;
      expect(traces(many, 0) / (0.05 * 9 * many + 0.95 * 8 * seconds)).toBeCloseTo(1, 3);
    });

    it('of the searches', () => {
      const requests = 1_000_000 * 102;
      expect(traces(1_000_000, 100) - traces(1_000_000, 0)).toBeGreaterThan(0.05 * (requests - 2_000_000));
    });

    it('of a canary: its run, its requests, and its events of a booking and of a cancellation', () => {
      const canaryRuns = 730 * 12;
      const most = canaryRuns * (1 + measured.canary.requests + 2 * 7);
      expect(traces(0, 0, 1)).toBeLessThan(most);
      expect(traces(0, 0, 1)).toBeGreaterThan(0.97 * most);
    });
  });

  it('has a price for every type of resource of the stacks, or says that it is free', () => {
    const disposable = stageWith('bare', { disposable: true, identity: boardIdentity, board });
    for (const stage of [devStage, productionStage, boardStage, disposable]) {
      const unknown = typesOf(synthesize(stage).templates as never).filter(
        (type) => !(type in pricesOfResource),
      );
      expect(unknown).toEqual([]);
    }
  });

  it('uses every price, and every price of a resource exists', () => {
    const named = Object.values(pricesOfResource).flat();
    expect(named.filter((name) => !(name in prices))).toEqual([]);
    const used = new Set([...named, ...Object.keys(monthOf(1, 1, {}))]);
    expect(Object.keys(prices).filter((name) => !used.has(name))).toEqual([]);
  });

  it('is printed with its date and what it was computed from', () => {
    const text = printBill('dev', { [alarmMetrics]: 10, 'AWS::CloudWatch::CompositeAlarm': 1 });
    expect(text).toMatch(/CloudWatch alarms +1\.50 +1\.50/);
    expect(text).toContain(readPrices().date);
    expect(text).toContain('Assumed');
  });

  it('is that of the stage that is named, which it says', () => {
    const [small, large] = ['dev', 'production'].map((stage) => printBill(stage));
    expect(small).toMatch(/^Stage dev,[^]*WAF +0\.00/);
    expect(large).toMatch(/^Stage production,[^]*WAF +8\./);
  });

  it('counts a function of the CDK, which calls no table, for nothing', () => {
    const keys = (stage: string) => /^KMS.*$/m.exec(printBill(stage))?.[0];
    expect(keys('staging')).toBe(keys('dev'));
  });

  it('is asked for by the stage as cdk is, and by nothing else', () => {
    expect(readArguments([])).toBe('dev');
    expect(readArguments(['-c', 'stage=staging'])).toBe('staging');
    expect(readArguments(['--help'])).toBeUndefined();
    for (const wrong of [['staging'], ['--stage', 'staging'], ['-c', 'region=eu-west-1'], ['-c', 'stage=']])
      expect(() => readArguments(wrong), wrong.join(' ')).toThrow();
  });
});
