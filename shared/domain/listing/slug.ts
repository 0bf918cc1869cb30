/** Latin letters that Unicode does not decompose into a base letter and marks. */
const undecomposed: Readonly<Record<string, string>> = {
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ı: 'i',
};

const longestSlug = 240;

/** Text in lower case without diacritics, for comparing and searching: "Đà Lạt" is "da lat". */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[đðøłßæœþı]/gu, (letter) => undecomposed[letter] ?? letter)
    .replace(/\s+/gu, ' ')
    .trim();

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
