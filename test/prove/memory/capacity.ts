import { indexes, indexKeyOf, type Row } from './key-schema.ts';
import { isSame } from './values.ts';

/** The write units of a change: of the table, and of each index that it changes, by the index's partition. */
export interface WriteUnits {
  table: number;
  indexes: readonly { index: string; pk: string; units: number }[];
}

const writeUnit = 1024;
const readUnit = 4096;

const sizeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / writeUnit));

/** Returns the read units of so many bytes; half of them if eventually consistent. */
export const readUnits = (bytes: number, isConsistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / readUnit)) * (isConsistent ? 1 : 0.5);

/** Returns the units of a write; a transaction costs twice in the table and once in an index. */
export const writeUnits = (
  before: Row | undefined,
  after: Row | undefined,
  inTransaction: boolean,
): WriteUnits => ({
  table: sizeUnits(Math.max(before?.size ?? 0, after?.size ?? 0)) * (inTransaction ? 2 : 1),
  indexes: indexes.flatMap(([index, keys]) => {
    const from = indexKeyOf(before?.item, keys);
    const to = indexKeyOf(after?.item, keys);
    const isMoved = from?.pk !== to?.pk || from?.sk !== to?.sk;
    if (!isMoved && (!to || isSame(before?.item, after?.item))) return [];
    if (!isMoved && to)
      return [{ index, pk: to.pk, units: sizeUnits(Math.max(before?.size ?? 0, after?.size ?? 0)) }];
    return [
      ...(from ? [{ index, pk: from.pk, units: sizeUnits(before?.size ?? 0) }] : []),
      ...(to ? [{ index, pk: to.pk, units: sizeUnits(after?.size ?? 0) }] : []),
    ];
  }),
});

const perSecond = { write: 1000, read: 3000 };

/**
 * What the partitions of the table and its indexes have left: a bucket for each partition key, of one second's units, that
 * refills steadily. A request passes while anything is left, and may leave less than nothing.
 */
export class Partitions {
  readonly #buckets = new Map<string, { left: number; at: number }>();
  /** The units of the second that runs, and the most of one second. */
  readonly #seconds = new Map<string, { second: number; units: number; most: number }>();

  isExhausted(kind: keyof typeof perSecond, partition: string, now: number): boolean {
    const bucket = this.#buckets.get(`${kind} ${partition}`);
    return bucket !== undefined && bucket.left + ((now - bucket.at) / 1000) * perSecond[kind] <= 0;
  }

  take(kind: keyof typeof perSecond, partition: string, units: number, now: number): void {
    const most = perSecond[kind];
    const key = `${kind} ${partition}`;
    const bucket = this.#buckets.get(key) ?? { left: most, at: now };
    this.#count(key, units, Math.floor(now / 1000));
    const left = Math.min(most, bucket.left + ((now - bucket.at) / 1000) * most) - units;
    this.#buckets.set(key, { left, at: now });
  }

  /** Returns the most units of one second, by `read` or `write` and partition. */
  busiest(): [partition: string, units: number][] {
    return [...this.#seconds].map(([partition, { most }]) => [partition, most]);
  }

  #count(key: string, units: number, second: number): void {
    const before = this.#seconds.get(key);
    const sum = (before?.second === second ? before.units : 0) + units;
    this.#seconds.set(key, { second, units: sum, most: Math.max(before?.most ?? 0, sum) });
  }
}

export type Reported = 'INDEXES' | 'TOTAL' | 'NONE' | undefined;

type Cost = { read: number; write: number; byIndex: ReadonlyMap<string, number> };

/** Returns ConsumedCapacity as far as it is requested. */
export const consumedCapacity = (
  TableName: string | undefined,
  reported: Reported,
  { read, write, byIndex }: Cost,
  kinds = false,
): object | undefined => {
  if (reported === undefined || reported === 'NONE') return undefined;
  const inTable = read + write;
  const total = inTable + [...byIndex.values()].reduce((sum, units) => sum + units, 0);
  const units = (CapacityUnits: number) => ({
    CapacityUnits,
    ...(kinds && write > 0 ? { WriteCapacityUnits: CapacityUnits } : {}),
    ...(kinds && write === 0 ? { ReadCapacityUnits: CapacityUnits } : {}),
  });
  if (reported === 'TOTAL') return { TableName, ...units(total) };
  const GlobalSecondaryIndexes = Object.fromEntries(
    [...byIndex].filter(([, count]) => count > 0).map(([index, count]) => [index, units(count)]),
  );
  return {
    TableName,
    ...units(total),
    Table: units(inTable),
    ...(Object.keys(GlobalSecondaryIndexes).length > 0 ? { GlobalSecondaryIndexes } : {}),
  };
};
