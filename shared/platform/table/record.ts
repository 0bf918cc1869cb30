import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { once } from '../once.ts';
import type { Kind } from './entity.ts';
import type { TableKey } from './key-template.ts';

/**
 * Defines what is stored of an entity, or of a part of it. The schema is created at its first use, so a function starts
 * without the schemas of records that it does not check. It states types only: limits belong to requests.
 */
export const defineRecord = <Shape extends z.ZodRawShape>(shape: () => Shape) =>
  once(() => z.object(shape()));

/** The type of a record. */
export type RecordOf<Schema extends () => z.ZodType> = z.output<ReturnType<Schema>>;

/** A binary attribute. */
export const binary = () =>
  z.custom<Uint8Array>((value) => value instanceof Uint8Array).meta({ format: 'binary' });

/** Judges an item that was read, in its current version. */
export type RecordCheck = (kind: Kind<object>, item: Record<string, unknown>, key: TableKey) => void;

/** Throws unless the item has the shape of its record and nothing else: for tests and the laptop. */
export const checkEveryRecord: RecordCheck = (kind, item) => {
  const { data, error } = kind.record().safeParse(item);
  const issues = error ? issuesOf(error) : unknownPaths(item, data).map((path) => `${path} is unknown`);
  if (issues.length > 0) throw new TypeError(`A stored ${kind.name} is not its record: ${issues.join('; ')}`);
};

/** Returns the paths of an item that its record lacks: zod leaves them out. */
const unknownPaths = (item: unknown, parsed: unknown): string[] => {
  if (isDeepStrictEqual(item, parsed)) return [];
  if (!isObject(item) || !isObject(parsed)) return [''];
  return Object.keys(item).flatMap((name) =>
    unknownPaths(item[name], parsed[name]).map((path) => (path === '' ? name : `${name}.${path}`)),
  );
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** An item that does not have the shape of its record. */
interface RecordMismatch {
  entity: string;
  key: TableKey;
  issues: string[];
}

/** Checks the given percentage of items and reports those that do not have the shape of their record. */
export const checkSomeRecords =
  (percent: () => number, report: (mismatch: RecordMismatch) => void): RecordCheck =>
  (kind, item, key) => {
    if (randomInt(100) >= percent()) return;
    const { error } = kind.record().safeParse(item);
    if (error) report({ entity: kind.name, key, issues: issuesOf(error) });
  };

/** Never with a value, which may be personal. */
const issuesOf = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, code, message }) => `${path.join('.')}: ${message} (${code})`);
