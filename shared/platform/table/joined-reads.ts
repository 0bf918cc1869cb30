import type { TableKey } from './key-template.ts';

type Raw = Record<string, unknown>;

/** What a BatchGet has found, and the keys that remain unprocessed. */
export interface Found {
  items: Raw[];
  left: readonly Raw[];
}

interface Asked {
  key: TableKey;
  answer: PromiseWithResolvers<Raw | undefined>;
}

const keyText = (key: { pk?: unknown; sk?: unknown }): string => `${String(key.pk)}\n${String(key.sk)}`;

/** The most keys of a BatchGet. */
const batchKeys = 100;

/** What is asked for in one turn of the event loop: single items with one BatchGet, each key once, and the same query once. */
export class JoinedReads {
  readonly #read: (keys: Raw[], consistent: boolean) => Promise<Found>;
  readonly #refused: () => Error;
  readonly #queries = new Map<string, Promise<unknown>>();
  readonly #asked = new Map<boolean, Map<string, Asked>>();

  constructor(read: (keys: Raw[], consistent: boolean) => Promise<Found>, refused: () => Error) {
    this.#read = read;
    this.#refused = refused;
  }

  get(key: TableKey, consistent: boolean): Promise<Raw | undefined> {
    const asked = this.#asked.get(consistent) ?? new Map<string, Asked>();
    if (asked.size === 0) {
      this.#asked.set(consistent, asked);
      // After the promises that are settled already: the other messages of a batch ask in the same turn.
      process.nextTick(() => this.#send(consistent));
    }
    const name = keyText(key);
    const one = asked.get(name) ?? { key, answer: Promise.withResolvers<Raw | undefined>() };
    asked.set(name, one);
    return one.answer.promise;
  }

  /** Sends a query, unless the same one was asked in this turn. */
  query<Reply>(query: object, send: () => Promise<Reply>): Promise<Reply> {
    const name = JSON.stringify(query);
    if (this.#queries.size === 0) process.nextTick(() => this.#queries.clear());
    const reply = this.#queries.get(name) ?? send();
    this.#queries.set(name, reply);
    return reply as Promise<Reply>;
  }

  #send(consistent: boolean): void {
    const asked = [...(this.#asked.get(consistent) ?? [])];
    this.#asked.delete(consistent);
    for (let at = 0; at < asked.length; at += batchKeys)
      void this.#answer(new Map(asked.slice(at, at + batchKeys)), consistent);
  }

  /** A key that remains unprocessed fails those alone who asked for it. */
  async #answer(asked: ReadonlyMap<string, Asked>, consistent: boolean): Promise<void> {
    try {
      const { items, left } = await this.#read(
        [...asked.values()].map(({ key }) => ({ ...key })),
        consistent,
      );
      if (left.length > 0) {
        const error = this.#refused();
        for (const key of left) asked.get(keyText(key))?.answer.reject(error);
      }
      const found = new Map(items.map((item) => [keyText(item), item]));
      for (const [name, { answer }] of asked) answer.resolve(found.get(name));
    } catch (error) {
      for (const { answer } of asked.values()) answer.reject(error);
    }
  }
}
