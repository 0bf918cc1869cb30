interface Waiting<Item> {
  item: Item;
  done: () => void;
  failed: (error: unknown) => void;
}

/**
 * Runs `work` for what has gathered under a name: one run at a time, each with all that came meanwhile, at most `most`. One by one,
 * and at once, the runs of a process would only lose races to each other. What fails in company is tried alone, so that an item
 * which cannot be worked on holds up no other.
 */
export const batchByKey = <Item>(most: number, work: (name: string, items: Item[]) => Promise<void>) => {
  const gathered = new Map<string, Waiting<Item>[]>();
  const settle = async (name: string, some: Waiting<Item>[]): Promise<void> => {
    try {
      await work(
        name,
        some.map(({ item }) => item),
      );
      for (const { done } of some) done();
    } catch (error) {
      if (some.length === 1) some[0]?.failed(error);
      else for (const one of some) await settle(name, [one]);
    }
  };
  const run = async (name: string, waiting: Waiting<Item>[]): Promise<void> => {
    // The other messages of a batch come in the same turn of the loop.
    await new Promise(setImmediate);
    while (waiting.length > 0) await settle(name, waiting.splice(0, most));
    gathered.delete(name);
  };
  return (name: string, item: Item): Promise<void> =>
    new Promise((done, failed) => {
      const waiting = gathered.get(name);
      if (waiting) return void waiting.push({ item, done, failed });
      const first = [{ item, done, failed }];
      gathered.set(name, first);
      void run(name, first);
    });
};
