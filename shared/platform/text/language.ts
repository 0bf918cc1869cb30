import { dateOf, timeOf } from '../time/time.ts';

/** The languages of mails (D66). */
export type WrittenLanguage = 'vi' | 'en';

/** Returns the language of mails for a stored language: `en` for English, else `vi`. */
export const writtenLanguage = (language: string): WrittenLanguage =>
  language.toLowerCase().startsWith('en') ? 'en' : 'vi';

const locales = { vi: 'vi-VN', en: 'en-GB' } as const;

/** Kept: a formatter costs far more to create than to use. */
const formatters = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

const formatter = <Format extends Intl.NumberFormat | Intl.DateTimeFormat>(
  name: string,
  make: () => Format,
): Format => {
  const known = formatters.get(name) as Format | undefined;
  if (known) return known;
  const made = make();
  formatters.set(name, made);
  return made;
};

/** Returns an amount in the notation of the language: 5.650.000 ₫, or US$120.50. */
export const moneyText = (amount: number, currency: string, language: WrittenLanguage): string =>
  formatter(
    `${language} ${currency}`,
    () => new Intl.NumberFormat(locales[language], { style: 'currency', currency }),
  ).format(amount);

/** Returns a calendar date with its weekday. */
const dateText = (date: string, language: WrittenLanguage): string =>
  formatter(
    language,
    () => new Intl.DateTimeFormat(locales[language], { dateStyle: 'full', timeZone: 'UTC' }),
  ).format(Date.parse(`${date}T00:00:00Z`));

/** Returns a local datetime as hour and date with weekday. */
export const localTimeText = (local: string, language: WrittenLanguage): string =>
  `${timeOf(local).slice(0, 5)}, ${dateText(dateOf(local), language)}`;
