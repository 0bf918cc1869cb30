import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { create, retryOnConflict } from '../../platform/table/index.ts';
import { checkPricePart, checkRoom } from './check-price-part.ts';
import { type PartFields, type PartKind, partKinds, type PartOf } from './price-part-kinds.ts';
import { PricePartOwnerEntity } from './price-part-owner.entity.ts';
import { hostedPriced, putPriceParts } from './price-parts.store.ts';

/** Adds a combo price, extra service or pricing rule to a listing and answers the whole record (D19). */
export const addPricePart = <K extends PartKind>(
  ctx: Context,
  kind: K,
  listingId: number,
  fields: PartFields<K>,
): Promise<PartOf<K>> =>
  retryOnConflict(async () => {
    const { listing, parts } = await hostedPriced(ctx, listingId);
    const { born, isAddressedAlone } = partKinds[kind];
    const id = newId(ctx.clock);
    const added = { id, listing_id: listing.id, ...fields, ...born(instantText(ctx.clock.now())) };
    const part = added as unknown as PartOf<K>;
    checkPricePart(kind, part, listing.currency);
    const next = { ...parts, [kind]: [...parts[kind], part] };
    checkRoom(kind, next);
    return ctx.commit(
      [
        ...putPriceParts(ctx, { listing, parts }, next, kind),
        ...(isAddressedAlone
          ? [create(PricePartOwnerEntity, { kind, part_id: id, listing_id: listing.id })]
          : []),
      ],
      part,
    );
  });
