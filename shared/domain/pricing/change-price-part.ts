import type { Context } from '../../platform/context.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { checkPricePart, checkRoom } from './check-price-part.ts';
import type { PartFields, PartKind, PartOf } from './price-part-kinds.ts';
import { hostedPricedOf, partNotFound, type PartRef, putPriceParts } from './price-parts.store.ts';

/** Changes what of a part is given, checks the whole of it anew, and answers it (D19). */
export const changePricePart = <K extends PartKind>(
  ctx: Context,
  kind: K,
  ref: PartRef,
  changes: Partial<PartFields<K>>,
): Promise<PartOf<K>> =>
  retryOnConflict(async () => {
    const { listing, parts } = await hostedPricedOf(ctx, kind, ref);
    const all: readonly PartOf<K>[] = parts[kind];
    const before = all.find(({ id }) => id === ref.id);
    if (!before) throw partNotFound(kind);
    const part: PartOf<K> = { ...before, ...changes };
    checkPricePart(kind, part, listing.currency);
    const next = { ...parts, [kind]: all.map((one) => (one.id === ref.id ? part : one)) };
    checkRoom(kind, next);
    return ctx.commit(putPriceParts(ctx, { listing, parts }, next, kind), part);
  });
