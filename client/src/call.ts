import { type Exchange, type Request, send, type Settings } from './send.ts';
import type { PagedCall } from './types.ts';

interface Page {
  items: unknown[];
  next_cursor: string | null;
}

/** Starts a call. Its items, for `for await`, are those of all pages; only lists have them in their type. */
export const startCall = (settings: Settings, request: Request): PagedCall<unknown, unknown> => {
  const answered = send(settings, request);
  const data = answered.then((answer) => answer.data);
  // A failure is reported once, by what the caller uses: without this the promise itself would report it too.
  const handOver = (): Promise<Exchange> => {
    data.catch(() => undefined);
    return answered;
  };
  return Object.assign(data, {
    withResponse: handOver,
    [Symbol.asyncIterator]: () => itemsOf(settings, request, handOver()),
  });
};

async function* itemsOf(
  settings: Settings,
  request: Request,
  first: Promise<Exchange>,
): AsyncGenerator<unknown, void, undefined> {
  for (let page = first; ;) {
    const { data, response } = await page;
    const isBare = Array.isArray(data);
    const { items, next_cursor: cursor } = isBare
      ? { items: data as unknown[], next_cursor: response.headers.get('X-Next-Cursor') }
      : (data as Page);
    yield* items;
    if (!cursor) return;
    page = send(settings, { ...request, input: { ...request.input, cursor } });
  }
}
