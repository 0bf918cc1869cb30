import * as z from 'zod';
import { ListingEntity, openListings } from '../../shared/domain/listing/model.ts';
import { indexListings } from '../../shared/domain/search/index.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { defineCommand } from './command.ts';

const listingsAtOnce = 50;

export const searchCommands = {
  reindex: defineCommand({
    summary: 'Writes every open listing into the search index again; what is right there is not written',
    changes: true,
    input: z.strictObject({}),
    run: async ({ deps }) => {
      let indexed = 0;
      for await (const ids of openIds(deps)) {
        await indexListings(deps, ids);
        indexed += ids.length;
      }
      return { indexed };
    },
    dryRun: async ({ deps }) => {
      let wouldIndex = 0;
      for await (const ids of openIds(deps)) wouldIndex += ids.length;
      return { would_index: wouldIndex };
    },
  }),
};

/** Yields the ids of open listings, those longest unchanged first. One that changes meanwhile is indexed by its event. */
async function* openIds({ table }: Pick<Dependencies, 'table'>): AsyncGenerator<number[]> {
  let after: Record<string, unknown> | undefined;
  do {
    const { items, next } = await table.query(ListingEntity, {
      ...{ index: 'by_audience', pk: openListings, limit: listingsAtOnce, after },
    });
    if (items.length > 0) yield items.map(({ id }) => id);
    after = next;
  } while (after);
}
