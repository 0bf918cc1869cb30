import type { Credential, Reply, Request } from '../client.ts';
import type { Town } from '../town.ts';

interface More {
  query?: Request['query'];
  body?: object;
}

/** Someone who calls the API. */
export abstract class Actor {
  readonly town: Town;
  readonly who: Credential;

  constructor(town: Town, who: Credential) {
    this.town = town;
    this.who = who;
  }

  get(verb: string, path: string, query?: Request['query']): Promise<Reply | undefined> {
    return this.#ask('GET', verb, path, query ? { query } : {});
  }

  /** Sends a key along: a lost answer is asked for again. */
  post(verb: string, path: string, body?: object, key = this.town.newKey()): Promise<Reply | undefined> {
    return this.#ask('POST', verb, path, body ? { body } : {}, key);
  }

  /** A POST that only reads. */
  inquire(verb: string, path: string, body: object): Promise<Reply | undefined> {
    return this.#ask('POST', verb, path, { body });
  }

  patch(verb: string, path: string, body: object): Promise<Reply | undefined> {
    return this.#ask('PATCH', verb, path, { body });
  }

  put(verb: string, path: string, body: object): Promise<Reply | undefined> {
    return this.#ask('PUT', verb, path, { body });
  }

  remove(verb: string, path: string, query?: Request['query']): Promise<Reply | undefined> {
    return this.#ask('DELETE', verb, path, query ? { query } : {});
  }

  #ask(
    method: Request['method'],
    verb: string,
    path: string,
    more: More,
    key?: string,
  ): Promise<Reply | undefined> {
    const { query, body } = more;
    return this.town.client.ask(this.who, {
      verb,
      method,
      path: `/api/v1${path}`,
      ...(query ? { query } : {}),
      ...(body ? { body } : {}),
      ...(key === undefined ? {} : { key }),
    });
  }
}
