import { isHostOf } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, type Issue } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { create, remove, retryOnConflict } from '../../platform/table/index.ts';
import { requireReadable } from '../listing/index.ts';
import { moneyIssues, requireVisible } from '../listing/model.ts';
import {
  hostedPriced,
  hostedPricedOf,
  type PartFields,
  type PartKind,
  partKinds,
  partNotFound,
  type PartOf,
  type PartRef,
  PricePartOwnerEntity,
  type PriceParts,
  putPriceParts,
  readPriced,
} from './price-parts.store.ts';

/** What all parts of a listing may take together: they are one item, and every price reads it. */
const largestBytes = 300_000;

/** Every reason to refuse a whole part, merged with what it was before: cross-field rules, and the currency's minor unit. */
export const checkPricePart = <K extends PartKind>(kind: K, part: PartOf<K>, currency: string): void => {
  const { issues: rulesOf, money } = partKinds[kind];
  const amounts = Object.fromEntries(money.map((field) => [field, Number(part[field])]));
  const issues: Issue[] = [...rulesOf(part), ...moneyIssues(amounts, currency)];
  if (issues.length > 0) throw invalid(...issues);
};

/** Refuses more parts of a kind than a listing takes, and more text than one item holds. */
export const checkRoom = (kind: PartKind, parts: PriceParts): void => {
  const { name, most } = partKinds[kind];
  if (parts[kind].length > most)
    throw invalid({ path: 'listing_id', message: `has ${most} ${name}s already, the most a listing takes` });
  if (Buffer.byteLength(JSON.stringify(parts)) > largestBytes)
    throw invalid({ path: '', message: 'The price parts of the listing are too large together.' });
};

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
