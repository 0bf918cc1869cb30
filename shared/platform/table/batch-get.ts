import { refusedKeys } from './attempts.ts';
import type { TableKey } from './key-template.ts';

export type Raw = Record<string, unknown>;

/** What a BatchGet has found, and the keys that remain unprocessed. */
export interface Found {
  items: Raw[];
  left: readonly Raw[];
}

/** The most keys of a BatchGet. */
const batchKeys = 100;

/**
 * Returns the items of the keys, with parallel requests of 100 keys, each key once. A key that remains unprocessed fails those alone
 * who asked for it.
 */
export const batchGet = (
  keys: readonly TableKey[],
  request: (keys: Raw[]) => Promise<Found>,
): Promise<Raw | undefined>[] => {
  const asked = [...new Map(keys.map((key) => [keyText(key), key]))];
  const answers = new Map<string, Promise<Raw | undefined>>();
  for (let at = 0; at < asked.length; at += batchKeys) {
    const batch = asked.slice(at, at + batchKeys);
    const itemOf = request(batch.map(([, key]) => ({ ...key }))).then(finder);
    for (const [name] of batch)
      answers.set(
        name,
        itemOf.then((find) => find(name)),
      );
  }
  return keys.map((key) => Promise.resolve(answers.get(keyText(key))));
};

const keyText = (key: { pk?: unknown; sk?: unknown }): string => `${String(key.pk)}\n${String(key.sk)}`;

const finder = ({ items, left }: Found) => {
  const found = new Map(items.map((item) => [keyText(item), item]));
  const refused = new Set(left.map(keyText));
  return (name: string): Raw | undefined => {
    if (refused.has(name)) throw refusedKeys();
    return found.get(name);
  };
};
