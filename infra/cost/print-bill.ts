import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { projectRoot } from '../bundling.ts';
import { callerRuleNames } from '../cloud/constructs/firewall.ts';
import { makeService } from '../cloud/service.ts';
import { stageOf } from '../cloud/stage.ts';
import { billOf, readPrices, type Usage, withoutFree } from './bill.ts';
import {
  alarmMetrics,
  assumed,
  boardUsage,
  bookingUsage,
  canaries,
  functionType,
  measured,
  monthOf,
  type Resources,
  searchUsage,
} from './usage.ts';

const months = [0, 10_000, 100_000, 1_000_000];
const searchesOfBooking = 100;

/** Returns how many resources of each type the stacks of a stage have; nothing is bundled for it. */
const stackResources = (stage: string): Resources => {
  const { context } = JSON.parse(readFileSync(join(projectRoot, 'cdk.json'), 'utf8')) as { context: object };
  const app = new App({
    context: { ...context, stage, 'aws:cdk:bundling-stacks': [] },
    analyticsReporting: false,
  });
  const counts: Record<string, number> = {};
  const count = (name: string, more = 1) => (counts[name] = (counts[name] ?? 0) + more);
  for (const stack of Object.values(makeService(app, stageOf(app.node))))
    for (const resource of Object.values(resourcesOf(Template.fromStack(stack as never).toJSON()))) {
      // Those without a name are of the CDK, and call no table.
      if (resource.Type !== functionType || resource.Properties?.FunctionName !== undefined)
        count(resource.Type);
      if (resource.Type === 'AWS::CloudWatch::Alarm') count(alarmMetrics, metricsOf(resource));
      if (resource.Type === 'AWS::Scheduler::Schedule' && resource.Properties?.Name?.endsWith('-canary'))
        count(canaries);
    }
  return counts;
};

interface Resource {
  Type: string;
  Properties?: { Name?: string; FunctionName?: string; Metrics?: { MetricStat?: unknown }[] };
}

const resourcesOf = (template: Record<string, unknown>) =>
  (template['Resources'] ?? {}) as Record<string, Resource>;

/** An alarm costs by the metrics that it reads: one, or those of its expression. */
const metricsOf = ({ Properties: { Metrics } = {} }: Resource): number =>
  Metrics ? Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length : 1;

const usd = (amount: number): string => amount.toFixed(2);

/** Returns the bill of a month of a stage as text, with what it was computed from. */
export const printBill = (stage: string, resources: Resources = stackResources(stage)): string => {
  const prices = readPrices();
  const used = months.map((bookings) => monthOf(bookings, searchesOfBooking, resources));
  const bills = used.map((usage) => billOf(usage, prices));
  const paid = used.map((usage) => billOf(withoutFree(usage, prices), prices));
  const services = [...new Set(bills.flatMap(Object.keys))].sort();
  const rows = services.map((service) => [service, ...bills.map((bill) => usd(bill[service] ?? 0))]);
  const sum = (bill: Record<string, number>) => Object.values(bill).reduce((all, amount) => all + amount, 0);
  const totals = (all: typeof bills) => all.map((bill) => usd(sum(bill)));
  const totalOf = (usage: Usage) => sum(billOf(usage, prices));
  const head = ['USD a month', 'idle', ...months.slice(1).map((bookings) => bookings.toLocaleString('en'))];
  const each = (usage: Usage) => usd(totalOf(usage) * 1000);
  const canary = monthOf(0, 0, { [canaries]: 1, [alarmMetrics]: 1 });
  const { waf_acl: acl, waf_rule: rule, waf_request: request } = prices.prices;
  const firewall = (acl?.usd ?? 0) + (rule?.usd ?? 0) * callerRuleNames.length;
  return [
    `Stage ${stage}, bookings a month, ${searchesOfBooking} searches each; prices of ${prices.region} on ${prices.date}.`,
    `${prices.note}\n`,
    ...[head, ...rows, ['total', ...totals(bills)], ['less allowances', ...totals(paid)]].map(columns),
    '\nThe last line takes off what every account has free each month without a time limit.',
    `Without traces, 1,000 bookings cost ${each(bookingUsage())}, 1,000 searches ${each(searchUsage())}.`,
    `A firewall, which stages that keep their data have by default, costs ${usd(firewall)} and ${usd(request?.usd ?? 0)} for 1,000,000 requests.`,
    `A canary costs ${usd(totalOf(canary) - totalOf(monthOf(0, 0, {})))}, less where its requests are not the only ones.`,
    `A board costs ${usd(totalOf(boardUsage(0)))} while it is not opened, and ${usd(totalOf(boardUsage(10_000)))} for 10,000 openings, besides what its requests to the API cost.`,
    `Measured: ${JSON.stringify(measured)}`,
    `Assumed: ${JSON.stringify(assumed)}`,
  ].join('\n');
};

const columns = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(20) : cell.padStart(12))).join('');
