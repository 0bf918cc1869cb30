import type { Raw, Wanted } from './batch-get.ts';

type ReadMany = (wanted: readonly Wanted[], consistent: boolean) => Promise<Raw | undefined>[];

interface Asked {
  wanted: Wanted;
  answer: PromiseWithResolvers<Raw | undefined>;
}

/** What is asked for in one turn of the event loop: single items in one read, and the same query once. */
export class JoinedReads {
  readonly #read: ReadMany;
  readonly #queries = new Map<string, Promise<unknown>>();
  readonly #asked = new Map<boolean, Asked[]>();

  constructor(read: ReadMany) {
    this.#read = read;
  }

  get(wanted: Wanted, consistent: boolean): Promise<Raw | undefined> {
    const asked = this.#asked.get(consistent) ?? [];
    if (asked.length === 0) {
      this.#asked.set(consistent, asked);
      // After the promises that are settled already: the other messages of a batch ask in the same turn.
      process.nextTick(() => this.#send(consistent));
    }
    const answer = Promise.withResolvers<Raw | undefined>();
    asked.push({ wanted, answer });
    return answer.promise;
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
    const asked = this.#asked.get(consistent) ?? [];
    this.#asked.delete(consistent);
    const all = asked.map(({ wanted }) => wanted);
    for (const [at, answer] of this.#read(all, consistent).entries()) asked[at]?.answer.resolve(answer);
  }
}
