import { foldText } from '../../platform/fold-text.ts';

const longestSlug = 240;

/** The slug made from a name (D20): "Biệt thự Đà Lạt" is `biet-thu-da-lat`; a name without any Latin letter or digit is `listing`. */
export const slugOf = (name: string): string => {
  const slug = foldText(name)
    .replace(/['’]/gu, '')
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-/, '')
    .slice(0, longestSlug)
    .replace(/-$/, '');
  return slug === '' ? 'listing' : slug;
};

/** The slug itself when it is free, else with the first free number: `-2`, `-3` … (D20). */
export const firstFreeSlug = (slug: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number++) {
    const candidate = `${slug}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
};
