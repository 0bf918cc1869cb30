import { useRef, useState } from 'preact/hooks';
import { type Page, readPages } from './read-pages.ts';
import { type Reading, reread, useReading } from './reading.ts';

interface Pages<Item> {
  reading: Reading<Page<Item>>;
  hasMore: boolean;
  isLoading: boolean;
  more: () => void;
}

interface List<Item> {
  readPage: (cursor?: string) => Promise<Page<Item>>;
  idOf: (item: Item) => number;
  isOut?: boolean;
}

/** Reads a list page by page; all pages that are shown are read again when something has happened. */
export const usePages = <Item>(name: string, { readPage, idOf, isOut = false }: List<Item>): Pages<Item> => {
  const count = useRef(1);
  const [isLoading, setLoading] = useState(false);
  const load = () => readPages({ readPage, idOf, count: count.current });
  const reading = useReading(name, load, { isOut });
  const more = async (): Promise<void> => {
    count.current += 1;
    setLoading(true);
    await reread(name);
    setLoading(false);
  };
  const hasMore = typeof reading.data?.next_cursor === 'string';
  return { reading, hasMore, isLoading, more: () => void more() };
};
