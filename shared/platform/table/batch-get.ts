import { attempts, backOff, refusedKeys } from './attempts.ts';
import type { TableKey } from './key-template.ts';

export type Raw = Record<string, unknown>;

/** A key to read, and the keys that are read together with it, itself included. */
export interface Wanted {
  readonly key: TableKey;
  readonly together?: readonly TableKey[];
}

/** What one BatchGet has found, and the keys that it has left unprocessed. */
interface Found {
  items: Raw[];
  left: readonly Raw[];
}

type Send = (keys: Raw[]) => Promise<Found>;

/** Keys that are read together, with their texts; most are alone. */
interface Together {
  readonly names: readonly string[];
  readonly keys: readonly TableKey[];
}

/** The most keys of a BatchGet. */
const batchKeys = 100;

/**
 * Returns the items of the keys, with parallel requests of 100 keys, each key once; what remains unprocessed is requested again. A
 * key that does so to the end fails those alone who asked for it, or for one that is read together with it.
 */
export const batchGet = (wanted: readonly Wanted[], send: Send): Promise<Raw | undefined>[] => {
  const names = wanted.map(({ key }) => keyText(key));
  const readings = new Map<string, ReturnType<typeof readBatch>>();
  for (const batch of batchesOf(groupsOf(wanted, names))) {
    const reading = readBatch(batch, send);
    for (const group of batch) for (const name of group.names) readings.set(name, reading);
  }
  return names.map(async (name) => (await readings.get(name))?.(name));
};

const keyText = (key: { pk?: unknown; sk?: unknown }): string => `${String(key.pk)}\n${String(key.sk)}`;

/** Groups that share a key are one. */
const groupsOf = (wanted: readonly Wanted[], names: readonly string[]): Together[] => {
  const groupOf = new Map<string, Together>();
  wanted.forEach(({ key, together }, at) => {
    const name = names[at] ?? '';
    if (together) join(groupOf, together);
    else if (!groupOf.has(name)) groupOf.set(name, { names: [name], keys: [key] });
  });
  return [...new Set(groupOf.values())];
};

const join = (groupOf: Map<string, Together>, keys: readonly TableKey[]): void => {
  const all = new Map(keys.map((key) => [keyText(key), key]));
  for (const name of [...all.keys()])
    for (const key of groupOf.get(name)?.keys ?? []) all.set(keyText(key), key);
  const group = { names: [...all.keys()], keys: [...all.values()] };
  for (const name of group.names) groupOf.set(name, group);
};

const batchesOf = (groups: readonly Together[]): Together[][] => {
  const batches: Together[][] = [];
  let free = 0;
  for (const group of groups) {
    const last = batches.at(-1);
    if (last && group.keys.length <= free) last.push(group);
    else {
      batches.push([group]);
      free = batchKeys;
    }
    free -= group.keys.length;
  }
  return batches;
};

/** A group of which a key was left unprocessed is read again as a whole: its items are those of one request. */
const readBatch = async (batch: readonly Together[], send: Send) => {
  const found = new Map<string, Raw>();
  let left = batch;
  for (let attempt = 0; left.length > 0 && attempt < attempts; attempt++) {
    if (attempt > 0) await backOff(attempt);
    const reply = await send(left.flatMap(({ keys }) => keys.map((key) => ({ ...key }))));
    for (const item of reply.items) found.set(keyText(item), item);
    left = groupsWith(left, reply.left);
    for (const { names } of left) for (const name of names) found.delete(name);
  }
  const refused = new Set(left.flatMap(({ names }) => names));
  return (name: string): Raw | undefined => {
    if (refused.has(name)) throw refusedKeys();
    return found.get(name);
  };
};

const groupsWith = (groups: readonly Together[], keys: readonly Raw[]): readonly Together[] => {
  if (keys.length === 0) return [];
  const unprocessed = new Set(keys.map(keyText));
  return groups.filter(({ names }) => names.some((name) => unprocessed.has(name)));
};
