import type { Context } from '../../platform/context.ts';
import { remove, retryOnConflict } from '../../platform/table/index.ts';
import { type PartKind, partKinds } from './price-part-kinds.ts';
import { PricePartOwnerEntity } from './price-part-owner.entity.ts';
import { hostedPricedOf, partNotFound, type PartRef, putPriceParts } from './price-parts.store.ts';

/** Removes a part; quotes that are held and bookings that are made keep the price they have (D43). */
export const removePricePart = (
  ctx: Context,
  kind: PartKind,
  ref: PartRef,
): Promise<{ message: string; id: number }> =>
  retryOnConflict(async () => {
    const { id } = ref;
    const { listing, parts } = await hostedPricedOf(ctx, kind, ref);
    if (!parts[kind].some((part) => part.id === id)) throw partNotFound(kind);
    const next = { ...parts, [kind]: parts[kind].filter((part) => part.id !== id) };
    const { name, isAddressedAlone } = partKinds[kind];
    return ctx.commit(
      [
        ...putPriceParts(ctx, { listing, parts }, next, kind),
        ...(isAddressedAlone ? [remove(PricePartOwnerEntity, { kind, part_id: id })] : []),
      ],
      { message: `The ${name} is removed.`, id },
    );
  });
