/** What a list of the API answers. */
export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

interface Request<Item> {
  readPage: (cursor?: string) => Promise<Page<Item>>;
  idOf: (item: Item) => number;
  /** How many pages. */
  count: number;
}

/** Reads the first pages of a list, each item once: one may move to the next page meanwhile. */
export const readPages = async <Item>({ readPage, idOf, count }: Request<Item>): Promise<Page<Item>> => {
  const items = new Map<number, Item>();
  let next_cursor: string | null = null;
  for (let at = 0; at < count && (at === 0 || next_cursor !== null); at++) {
    const page = await readPage(next_cursor ?? undefined);
    for (const item of page.items) if (!items.has(idOf(item))) items.set(idOf(item), item);
    ({ next_cursor } = page);
  }
  return { items: [...items.values()], next_cursor };
};
