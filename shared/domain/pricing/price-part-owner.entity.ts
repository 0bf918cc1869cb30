import { defineEntity } from '../../platform/table/index.ts';

/** Leads from a combo's or rule's id to its listing, for the paths that name the id alone. */
export interface PricePartOwner {
  kind: 'combos' | 'services' | 'rules';
  part_id: number;
  listing_id: number;
}

export const PricePartOwnerEntity = defineEntity<PricePartOwner, Pick<PricePartOwner, 'kind' | 'part_id'>>({
  name: 'PricePartOwner',
  meaning: 'The listing of a combo price or pricing rule.',
  patterns: ['the listing of a combo or rule by its id'],
  key: ({ kind, part_id }) => ({ pk: `PRICE_PART#${kind}#${part_id}`, sk: 'OWNER' }),
  example: { kind: 'combos', part_id: 1 },
});
