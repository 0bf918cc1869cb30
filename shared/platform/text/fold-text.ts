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

/** Returns text in lower case without diacritics, for comparison and search: "Đà Lạt" becomes "da lat". */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[đðøłßæœþı]/gu, (letter) => undecomposed[letter] ?? letter)
    .replace(/\s+/gu, ' ')
    .trim();
