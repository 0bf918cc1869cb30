import { useRef } from 'preact/hooks';
import { type Page, readPages } from './read-pages.ts';
import { type Reading, reread, useReading } from './reading.ts';

interface Pages<Item> {
  reading: Reading<Page<Item>>;
  /** Reads the next page; undefined: there is none. */
  more: (() => Promise<void>) | undefined;
}

interface List<Item> {
  readPage: (cursor?: string) => Promise<Page<Item>>;
  idOf: (item: Item) => number;
  isOut?: boolean;
}

/** Reads a list page by page; all pages that are shown are read again when something has happened. */
export const usePages = <Item>(name: string, { readPage, idOf, isOut = false }: List<Item>): Pages<Item> => {
  const count = useRef(1);
  const load = () => readPages({ readPage, idOf, count: count.current });
  const reading = useReading(name, load, { isOut });
  const more = (): Promise<void> => {
    count.current += 1;
    return reread(name);
  };
  return { reading, more: typeof reading.data?.next_cursor === 'string' ? more : undefined };
};
