import { writtenLanguage } from '../../platform/language.ts';

/** Letters, with what stands within a name: a full name may be an e-mail address or a telephone number. */
const name = /^[\p{L}\p{M}][\p{L}\p{M}'’.-]*$/u;

/**
 * The one word of a full name that others read: the last one where names are written the Vietnamese way, the first one
 * elsewhere; null for what is no name.
 */
export const givenName = (fullName: string, language: string): string | null => {
  const words = fullName.trim().split(/\s+/);
  const word = words.at(writtenLanguage(language) === 'vi' ? -1 : 0) ?? '';
  return name.test(word) ? word : null;
};
