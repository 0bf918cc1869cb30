/** Words of zone names that are not spelled with one initial capital. */
const oddWords = new Map(
  'of es au IN GB NZ CHAT SU BajaNorte BajaSur ComodRivadavia DeNoronha DumontDUrville EasterIsland McMurdo'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `EST`, `US` and `GMT+7`, but `Etc` and `Yap`. */
const isAbbreviation = (part: string): boolean =>
  (part.length <= 3 || /\d/.test(part)) && part !== 'etc' && part !== 'yap';

/**
 * Returns the IANA spelling of a time zone name: `Asia/Ho_Chi_Minh` for `asia/ho_chi_minh`. Intl accepts any case but may
 * return another name (`Asia/Saigon`).
 */
export const zoneSpelling = (name: string): string =>
  name
    .toLowerCase()
    .split('/')
    .map((part) =>
      isAbbreviation(part)
        ? part.toUpperCase()
        : part.replace(/[a-z]+/g, (word) => oddWords.get(word) ?? capitalized(word)),
    )
    .join('/');
