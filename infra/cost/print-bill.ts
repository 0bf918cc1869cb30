import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { projectRoot } from '../bundling.ts';
import { makeService } from '../cloud/service.ts';
import { stageOf } from '../cloud/stage.ts';
import { billOf, readPrices, type Usage } from './bill.ts';
import { assumed, bookingUsage, measured, monthOf, type Resources, searchUsage } from './usage.ts';

const months = [0, 10_000, 100_000, 1_000_000];
const searchesOfBooking = 100;

/** Returns how many resources of each type the stacks have; nothing is bundled for it. */
const stackResources = (): Resources => {
  const { context } = JSON.parse(readFileSync(join(projectRoot, 'cdk.json'), 'utf8')) as { context: object };
  const app = new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] }, analyticsReporting: false });
  const counts: Record<string, number> = {};
  for (const stack of Object.values(makeService(app, stageOf(app.node))))
    for (const { Type } of Object.values(resourcesOf(Template.fromStack(stack as never).toJSON())))
      counts[Type] = (counts[Type] ?? 0) + 1;
  return counts;
};

const resourcesOf = (template: Record<string, unknown>) =>
  (template['Resources'] ?? {}) as Record<string, { Type: string }>;

const usd = (amount: number): string => amount.toFixed(2);

/** Returns the bill of a month as text, with what it was computed from. */
export const printBill = (resources: Resources = stackResources()): string => {
  const prices = readPrices();
  const bills = months.map((bookings) => billOf(monthOf(bookings, searchesOfBooking, resources), prices));
  const services = [...new Set(bills.flatMap(Object.keys))].sort();
  const rows = services.map((service) => [service, ...bills.map((bill) => usd(bill[service] ?? 0))]);
  const total = bills.map((bill) => usd(Object.values(bill).reduce((sum, amount) => sum + amount, 0)));
  const head = ['USD a month', 'idle', ...months.slice(1).map((bookings) => bookings.toLocaleString('en'))];
  const each = (usage: Usage) =>
    usd(Object.values(billOf(usage, prices)).reduce((sum, amount) => sum + amount, 0) * 1000);
  return [
    `Bookings a month, ${searchesOfBooking} searches each; prices of ${prices.region} on ${prices.date}.`,
    `${prices.note}\n`,
    ...[head, ...rows, ['total', ...total]].map(columns),
    `\n1,000 bookings cost ${each(bookingUsage())}, 1,000 searches ${each(searchUsage())}.`,
    `Measured: ${JSON.stringify(measured)}`,
    `Assumed: ${JSON.stringify(assumed)}`,
  ].join('\n');
};

const columns = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(20) : cell.padStart(12))).join('');
