import { isHostOf } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, type Issue } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { requireReadable } from '../listing/index.ts';
import { moneyIssues, requireVisible } from '../listing/model.ts';
import type { PriceParts } from './price-parts.entity.ts';
import {
  readHostedPricing,
  readHostedPricingOf,
  type PartFields,
  type PartKind,
  partKinds,
  partNotFound,
  type PartOf,
  type PartRef,
  putPriceParts,
  readPricing,
} from './price-parts.store.ts';

/** The most bytes of all parts of a listing: they are one item, which every price reads. */
const maxPartsBytes = 300_000;

/** Throws VALIDATION_ERROR for a merged part: checks across fields, and the currency's minor unit. */
export const checkPricePart = <K extends PartKind>(kind: K, part: PartOf<K>, currency: string): void => {
  const { issues: rulesOf, money } = partKinds[kind];
  const amounts = Object.fromEntries(money.map((field) => [field, Number(part[field])]));
  const issues: Issue[] = [...rulesOf(part), ...moneyIssues(amounts, currency)];
  if (issues.length > 0) throw invalid(...issues);
};

/** Throws if a listing would have too many parts of a kind, or more text than fits into one item. */
export const checkRoom = (kind: PartKind, parts: PriceParts): void => {
  const { name, max } = partKinds[kind];
  if (parts[kind].length > max)
    throw invalid({ path: 'listing_id', message: `already has ${max} ${name}s, the maximum` });
  requireRoom(parts);
};

/** Throws VALIDATION_ERROR if the parts of a listing do not fit into one item. */
export const requireRoom = (parts: PriceParts): void => {
  if (Buffer.byteLength(JSON.stringify(parts)) > maxPartsBytes)
    throw invalid({ path: '', message: 'The price parts of the listing are too large in total.' });
};

/** Returns the parts of a kind, oldest first; only hosts see inactive ones. */
export const listPriceParts = async <K extends PartKind>(
  ctx: Context,
  kind: K,
  listingId: number,
): Promise<PartOf<K>[]> => {
  const { listing, parts } = await readPricing(ctx, listingId);
  // A guest of a paused listing sees the extra services of the stay, but not the prices of other stays.
  const { team_id } =
    kind === 'services' ? await requireReadable(ctx, listing) : requireVisible(ctx.caller, listing);
  const all: readonly PartOf<K>[] = parts[kind];
  return isHostOf(ctx.caller, team_id) ? [...all] : all.filter(({ is_active }) => is_active);
};

/** Adds a combo price, extra service or pricing rule to a listing and returns the whole record (D19). */
export const addPricePart = <K extends PartKind>(
  ctx: Context,
  kind: K,
  listingId: number,
  fields: PartFields<K>,
): Promise<PartOf<K>> =>
  retryOnConflict(async () => {
    const { listing, parts } = await readHostedPricing(ctx, listingId);
    const { make, plural } = partKinds[kind];
    const born = { id: newId(ctx.clock), listing_id: listing.id, created_at: instantText(ctx.clock.now()) };
    const part = make(fields, born);
    checkPricePart(kind, part, listing.currency);
    const next = { ...parts, [kind]: [...parts[kind], part] };
    checkRoom(kind, next);
    return ctx.commit(putPriceParts(ctx, { listing, parts }, next, plural), part);
  });

/** Updates the given fields of a part, checks the whole part, and returns it (D19). */
export const changePricePart = <K extends PartKind>(
  ctx: Context,
  kind: K,
  ref: PartRef,
  changes: Partial<PartFields<K>>,
): Promise<PartOf<K>> =>
  retryOnConflict(async () => {
    const { listing, parts } = await readHostedPricingOf(ctx, kind, ref);
    const all: readonly PartOf<K>[] = parts[kind];
    const before = all.find(({ id }) => id === ref.id);
    if (!before) throw partNotFound(kind);
    const part: PartOf<K> = { ...partKinds[kind].asOwn(before), ...changes };
    checkPricePart(kind, part, listing.currency);
    const next = { ...parts, [kind]: all.map((one) => (one.id === ref.id ? part : one)) };
    checkRoom(kind, next);
    return ctx.commit(putPriceParts(ctx, { listing, parts }, next, partKinds[kind].plural), part);
  });

/** Removes a part; held quotes and bookings keep their price (D43). */
export const removePricePart = (
  ctx: Context,
  kind: PartKind,
  ref: PartRef,
): Promise<{ message: string; id: number }> =>
  retryOnConflict(async () => {
    const { id } = ref;
    const { listing, parts } = await readHostedPricingOf(ctx, kind, ref);
    if (!parts[kind].some((part) => part.id === id)) throw partNotFound(kind);
    const next = { ...parts, [kind]: parts[kind].filter((part) => part.id !== id) };
    const { name, plural } = partKinds[kind];
    const answer = { message: `The ${name} is removed.`, id };
    return ctx.commit(putPriceParts(ctx, { listing, parts }, next, plural), answer);
  });
