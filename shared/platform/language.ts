import { dateOf, timeOf } from './time.ts';

/** The languages that people are written to (D66). */
export type WrittenLanguage = 'vi' | 'en';

/** The language to write in for what a record says: Vietnamese unless it is English. */
export const writtenLanguage = (language: string): WrittenLanguage =>
  language.toLowerCase().startsWith('en') ? 'en' : 'vi';

const locales = { vi: 'vi-VN', en: 'en-GB' } as const;

/** An amount as people write it: 5.650.000 ₫, or US$120.50. */
export const moneyText = (amount: number, currency: string, language: WrittenLanguage): string =>
  new Intl.NumberFormat(locales[language], { style: 'currency', currency }).format(amount);

/** A calendar date with its weekday. */
export const dateText = (date: string, language: WrittenLanguage): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'full', timeZone: 'UTC' }).format(
    Date.parse(`${date}T00:00:00Z`),
  );

/** A local datetime: the hour and the date with its weekday. No zone is regarded; it is the wall clock of the place. */
export const localTimeText = (local: string, language: WrittenLanguage): string =>
  `${timeOf(local).slice(0, 5)}, ${dateText(dateOf(local), language)}`;
