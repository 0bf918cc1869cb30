/** Few enough to leave the capacity of a table to requests. */
const defaultLanes = 8;

/** Runs work for each item, some at a time; returns the results in the order of the items. */
export const inLanes = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  lanes = defaultLanes,
): Promise<Result[]> => {
  const results = new Array<Result>(items.length);
  const left = items.entries();
  const lane = async (): Promise<void> => {
    for (const [at, item] of left) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
  return results;
};
