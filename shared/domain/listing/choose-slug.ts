import { ServiceError } from '../../platform/errors.ts';
import { create, type Table, type Write } from '../../platform/table/index.ts';
import { type ListingSlug, ListingSlugEntity, slugsLike } from './listing.entity.ts';
import { firstFreeSlug, slugOf } from './slug.ts';

/** The slug of a new listing: the one given, else the first free one made from the name (D20). */
export const chooseSlug = async (
  table: Table,
  teamId: number,
  { name, slug }: { name: string; slug?: string | undefined },
): Promise<string> => {
  if (slug !== undefined) return slug;
  const wanted = slugOf(name);
  const { items } = await table.queryAll(slugsLike(teamId, wanted));
  return firstFreeSlug(wanted, new Set(items.map((item) => String(item['slug']))));
};

/** Takes a slug the caller asked for: SLUG_ALREADY_EXISTS when another listing has it. */
export const takeGivenSlug = (slug: ListingSlug): Write =>
  create(
    ListingSlugEntity,
    slug,
    () => new ServiceError('SLUG_ALREADY_EXISTS', undefined, { slug: slug.slug }),
  );

/** Takes a slug made from the name: whoever was faster makes it a lost race, and the next number is tried. */
export const takeMadeSlug = (slug: ListingSlug): Write => create(ListingSlugEntity, slug);
