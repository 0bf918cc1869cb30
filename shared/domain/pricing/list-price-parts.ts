import { isHostOf } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { requireReadable, requireVisible } from '../listing/index.ts';
import type { PartKind, PartOf } from './price-part-kinds.ts';
import { readPriced } from './price-parts.store.ts';

/** The parts of one kind that a listing has, oldest first; inactive ones are for its hosts alone. */
export const listPriceParts = async <K extends PartKind>(
  ctx: Context,
  kind: K,
  listingId: number,
): Promise<PartOf<K>[]> => {
  const { listing, parts } = await readPriced(ctx, listingId);
  // What a guest pays extra for belongs to the stay; the prices of other stays do not.
  const { team_id } =
    kind === 'services' ? await requireReadable(ctx, listing) : requireVisible(ctx.caller, listing);
  const all: readonly PartOf<K>[] = parts[kind];
  return isHostOf(ctx.caller, team_id) ? [...all] : all.filter(({ is_active }) => is_active);
};
