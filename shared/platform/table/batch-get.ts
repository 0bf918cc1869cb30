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

/** Keys by their texts that are read together; most are alone. */
type Together = ReadonlyMap<string, TableKey>;

/** The most keys of a BatchGet. */
const batchKeys = 100;

/**
 * Returns the items of the keys, with parallel requests of 100 keys, each key once; what remains unprocessed is requested again. A
 * key that does so to the end fails those alone who asked for it, or for one that is read together with it.
 */
export const batchGet = (wanted: readonly Wanted[], send: Send): Promise<Raw | undefined>[] => {
  const asked = new Set(wanted.map(({ key }) => keyText(key)));
  const answers = new Map<string, Promise<Raw | undefined>>();
  for (const batch of batchesOf(groupsOf(wanted))) {
    const itemOf = readBatch(batch, send);
    for (const name of namesOf(batch))
      if (asked.has(name))
        answers.set(
          name,
          itemOf.then((find) => find(name)),
        );
  }
  return wanted.map(({ key }) => Promise.resolve(answers.get(keyText(key))));
};

const keyText = (key: { pk?: unknown; sk?: unknown }): string => `${String(key.pk)}\n${String(key.sk)}`;

const namesOf = (groups: readonly Together[]): string[] => groups.flatMap((group) => [...group.keys()]);

/** Groups that share a key are one. */
const groupsOf = (wanted: readonly Wanted[]): Together[] => {
  const groupOf = new Map<string, Together>();
  for (const { key, together = [key] } of wanted) {
    const group = new Map(together.map((one) => [keyText(one), one]));
    for (const name of [...group.keys()])
      for (const [other, one] of groupOf.get(name) ?? []) group.set(other, one);
    for (const name of group.keys()) groupOf.set(name, group);
  }
  return [...new Set(groupOf.values())];
};

const batchesOf = (groups: readonly Together[]): Together[][] => {
  const batches: Together[][] = [];
  let free = 0;
  for (const group of groups) {
    const last = batches.at(-1);
    if (last && group.size <= free) last.push(group);
    else {
      batches.push([group]);
      free = batchKeys;
    }
    free -= group.size;
  }
  return batches;
};

/** A group of which a key was left unprocessed is read again as a whole: its items are those of one request. */
const readBatch = async (batch: readonly Together[], send: Send) => {
  const found = new Map<string, Raw>();
  let left = batch;
  for (let attempt = 0; left.length > 0 && attempt < attempts; attempt++) {
    if (attempt > 0) await backOff(attempt);
    const reply = await send(left.flatMap((group) => [...group.values()].map((key) => ({ ...key }))));
    const refused = new Set(reply.left.map(keyText));
    for (const item of reply.items) found.set(keyText(item), item);
    left = left.filter((group) => [...group.keys()].some((name) => refused.has(name)));
    for (const name of namesOf(left)) found.delete(name);
  }
  const refused = new Set(namesOf(left));
  return (name: string): Raw | undefined => {
    if (refused.has(name)) throw refusedKeys();
    return found.get(name);
  };
};
