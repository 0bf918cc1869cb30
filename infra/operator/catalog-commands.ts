import * as z from 'zod';
import { amenityCategories, catalogItems } from '../../shared/domain/listing/model.ts';
import { serviceVersion } from '../bundling.ts';
import { defineCommand } from './command.ts';
import { countOne } from './stored-items.ts';

export const catalogCommands = {
  seed: defineCommand({
    summary: 'Says what the catalogs hold; they are part of the code, so nothing is written',
    changes: false,
    input: z.strictObject({}),
    run: () =>
      Promise.resolve({
        version: serviceVersion(),
        catalogs: countedBy(catalogItems, ({ catalog_type }) => catalog_type),
        amenities: countedBy(
          amenityCategories.flatMap(({ code, amenities }) => amenities.map(() => code)),
          (code) => code,
        ),
        written: 0,
      }),
  }),
};

const countedBy = <Item>(items: readonly Item[], nameOf: (item: Item) => string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const item of items) countOne(counts, nameOf(item));
  return counts;
};
