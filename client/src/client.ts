import { startCall } from './call.ts';
import { type ReadPage, readFeed } from './feed.ts';
import { type Input, readOperation } from './operation.ts';
import type { Request, Settings } from './send.ts';
import type { Call, EventsOptions } from './types.ts';

type Method = (input?: Input, options?: Request['options']) => Call<unknown>;

/** The operation that the iterator over the feed of events calls. */
const feedOperation = 'readEvents';

/** Returns the class of a client with one method for each operation of the table. */
export const clientOf = (table: Readonly<Record<string, string>>) =>
  class Nightlatch {
    readonly #settings: Settings;
    [operation: string]: unknown;

    constructor(settings: Settings) {
      this.#settings = settings;
      for (const [id, line] of Object.entries(table)) {
        const operation = readOperation(id, line);
        const method: Method = (input = {}, options = {}) =>
          startCall(this.#settings, { operation, input, options });
        this[id] = method;
      }
    }

    /** The events of the feed, for `for await`. */
    events(options: EventsOptions = {}): AsyncGenerator<unknown, void, undefined> {
      const read = this[feedOperation] as Method;
      const readPage: ReadPage = (after, { teamIds, signal }) =>
        read(
          { after, limit: 100, team_ids: teamIds && JSON.stringify(teamIds) },
          { signal },
        ) as ReturnType<ReadPage>;
      return readFeed(readPage, options);
    }
  };
