import { ServiceError } from '../../platform/errors.ts';
import { foldText } from '../../platform/text/fold-text.ts';
import { create, type Table, type Write } from '../../platform/table/index.ts';
import { type ListingSlug, ListingSlugEntity, slugsLike } from './listing.store.ts';

const maxSlugLength = 240;

/**
 * Returns the slug of a name (D20): "Biệt thự Đà Lạt" becomes `biet-thu-da-lat`; a name without Latin letters or digits
 * becomes `listing`.
 */
export const slugOf = (name: string): string => {
  const slug = foldText(name)
    .replace(/['’]/gu, '')
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-/, '')
    .slice(0, maxSlugLength)
    .replace(/-$/, '');
  return slug === '' ? 'listing' : slug;
};

/** Returns the slug if it is free, else with the first free number: `-2`, `-3` … (D20). */
export const firstFreeSlug = (slug: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number++) {
    const candidate = `${slug}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
};

/** Returns the slug of a new listing: the given one, else the first free one made from the name (D20). */
export const chooseSlug = async (
  table: Table,
  teamId: number,
  { name, slug }: { name: string; slug?: string | undefined },
): Promise<string> => {
  if (slug !== undefined) return slug;
  const wanted = slugOf(name);
  const taken = await table.queryAll(ListingSlugEntity, slugsLike(teamId, wanted));
  return firstFreeSlug(wanted, new Set(taken.map((item) => item.slug)));
};

/** Returns the write that takes a given slug; SLUG_ALREADY_EXISTS if another listing has it. */
export const takeGivenSlug = (slug: ListingSlug): Write =>
  create(
    ListingSlugEntity,
    slug,
    () => new ServiceError('SLUG_ALREADY_EXISTS', undefined, { slug: slug.slug }),
  );

/** Returns the write that takes a slug made from the name; on a conflict the retry chooses the next number. */
export const takeMadeSlug = (slug: ListingSlug): Write => create(ListingSlugEntity, slug);
