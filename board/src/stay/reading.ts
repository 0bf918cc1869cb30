import { signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { isRefusedHere } from './service.ts';

/** An answer of the API as far as it is known. */
export interface Reading<Data> {
  data?: Data;
  error?: unknown;
  /** The key of the page does not name the origin that shows it. */
  isRefusedHere?: boolean;
}

/** Counted up when what is on the screen is to be read again. */
const round = signal(0);

/** Reads while it is on the screen, once if it is lasting; `name` is the same for the same question. Nothing of it is kept, unlike on the board. */
export const useReading = <Data>(
  name: string | undefined,
  load: () => Promise<Data>,
  { isLasting = false } = {},
): Reading<Data> => {
  const reading = useMemo(() => signal<Reading<Data>>({}), [name]);
  const asked = isLasting ? 0 : round.value;
  useEffect(() => {
    if (name === undefined) return undefined;
    let isAwaited = true;
    const read = async (): Promise<void> => {
      try {
        const data = await load();
        if (isAwaited) reading.value = { data };
      } catch (error) {
        const isRefused = await isRefusedHere(error);
        if (!isAwaited) return;
        reading.value = { ...reading.peek(), error, isRefusedHere: isRefused };
      }
    };
    void read();
    return () => {
      isAwaited = false;
    };
  }, [name, asked]);
  return reading.value;
};

/** Reads again what is on the screen. */
export const refresh = async (): Promise<void> => {
  round.value += 1;
};

interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** A list of which more is read when it is asked for. */
export const usePages = <Item, Found extends Page<Item>>(
  name: string | undefined,
  load: (cursor?: string) => Promise<Found>,
) => {
  const first = useReading(name, () => load());
  const [further, setFurther] = useState<{ of: Found | undefined; pages: Page<Item>[] }>({
    ...{ of: undefined, pages: [] },
  });
  const pages = further.of === first.data ? further.pages : [];
  const cursor = (pages.at(-1) ?? first.data)?.next_cursor ?? null;
  return {
    first,
    items: [...(first.data?.items ?? []), ...pages.flatMap(({ items }) => items)],
    more:
      cursor === null
        ? undefined
        : async (): Promise<void> => {
            const page = await load(cursor).catch(() => undefined);
            if (page) setFurther({ of: first.data, pages: [...pages, page] });
          },
  };
};
