import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const Price = z.strictObject({
  service: z.string(),
  unit: z.string(),
  usd: z.number(),
  per: z.number(),
  /** What every account has free each month, without a time limit. */
  free: z.number().optional(),
});
const PriceFile = z.strictObject({
  date: z.iso.date(),
  region: z.string(),
  note: z.string(),
  prices: z.record(z.string(), Price),
});
type PriceFile = z.infer<typeof PriceFile>;

/** Quantities by the name of their price. */
export type Usage = Readonly<Record<string, number>>;

/** Returns the dated prices. */
export const readPrices = (file = join(import.meta.dirname, 'prices.json')): PriceFile =>
  PriceFile.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Returns usage multiplied by a number. */
export const times = (count: number, usage: Usage): Usage =>
  Object.fromEntries(Object.entries(usage).map(([name, quantity]) => [name, quantity * count]));

/** Returns the sum of usages. */
export const sumOf = (...usages: readonly Usage[]): Usage => {
  const sum: Record<string, number> = {};
  for (const usage of usages)
    for (const [name, quantity] of Object.entries(usage)) sum[name] = (sum[name] ?? 0) + quantity;
  return sum;
};

/** Returns what is left to be paid of usage if the account has no other. */
export const withoutFree = (usage: Usage, { prices }: Pick<PriceFile, 'prices'>): Usage =>
  Object.fromEntries(
    Object.entries(usage).map(([name, quantity]) => [
      name,
      Math.max(0, quantity - (prices[name]?.free ?? 0)),
    ]),
  );

/** Returns the cost in USD by service. Throws for a quantity without a price. */
export const billOf = (usage: Usage, { prices }: Pick<PriceFile, 'prices'>): Record<string, number> => {
  const bill: Record<string, number> = {};
  for (const [name, quantity] of Object.entries(usage)) {
    const price = prices[name];
    if (!price) throw new Error(`There is no price of ${name}.`);
    bill[price.service] = (bill[price.service] ?? 0) + (quantity / price.per) * price.usd;
  }
  return bill;
};
