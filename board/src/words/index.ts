import { NightlatchError } from '@nightlatch/client';
import { effect, signal } from '@preact/signals';
import { Temporal } from 'temporal-polyfill';
import { en } from './en.ts';
import { explain } from './problems.ts';
import type { Sentence } from './sentences.ts';
import { localeOf, writeDate, writeInstant, writeMonth, writeTime } from './times.ts';
import { vi } from './vi.ts';

export type { Sentence } from './sentences.ts';

const languages = { vi, en };
type Language = keyof typeof languages;

const kept = localStorage.getItem('language');
const ofBrowser: Language = navigator.language.toLowerCase().startsWith('vi') ? 'vi' : 'en';

/** The language that is shown: the one that was chosen, else the browser's. */
export const language = signal<Language>(kept === 'vi' || kept === 'en' ? kept : ofBrowser);

effect(() => void (document.documentElement.lang = language.value));

export const chooseLanguage = (chosen: Language): void => {
  localStorage.setItem('language', chosen);
  language.value = chosen;
};

/** Returns a sentence in the language that is shown. */
export const say = (name: Sentence, values: Readonly<Record<string, string | number>> = {}): string =>
  languages[language.value][name].replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''));

/** Returns the word of a name that the API has given, such as a state; a name that is new is shown as it is. */
export const sayName = (name: string, family = ''): string =>
  family + name in en ? say((family + name) as Sentence) : name;

/** Returns what an error means for the person. */
export const sayError = (error: unknown): string => {
  if (!(error instanceof NightlatchError)) return say('unsure');
  const { name, field, least, most } = explain(error);
  return say(name, {
    field: field ? say(field) : '',
    least: least ? sayMoney(least.amount, least.currency) : '',
    most: most ? sayMoney(most.amount, most.currency) : '',
  });
};

/** Returns a reason: the service has sentences of its own, a person's is shown as it is. */
export const sayReason = (reason: string): string => sayName(reason, 'why_');

export const sayNights = (count: number): string => (count === 1 ? say('night') : say('nights', { count }));
export const sayGuests = (count: number): string => (count === 1 ? say('guest') : say('guests', { count }));

/** How the language is written where the browser is: its own region, where it has this language. */
const locale = (): string => localeOf(language.value, navigator.languages);

export const sayMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat(locale(), { style: 'currency', currency }).format(amount);

export const sayNumber = (value: number): string => new Intl.NumberFormat(locale()).format(value);
export const sayPercent = (share: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }).format(share);

/** A chart writes hundreds of prices: making a formatter costs more than using it. */
const shortly = new Map<string, Intl.NumberFormat>();

/** A price in a narrow place, such as "1.2M". */
export const sayShortly = (amount: number): string => {
  const formatter =
    shortly.get(locale()) ??
    new Intl.NumberFormat(locale(), { notation: 'compact', maximumFractionDigits: 2 });
  shortly.set(locale(), formatter);
  return formatter.format(amount);
};

/** The head of a day: its weekday, and the day of its month. */
export const sayWeekday = (date: string): string =>
  Temporal.PlainDate.from(date).toLocaleString(locale(), { weekday: 'short' });
export const sayMonth = (date: string): string => writeMonth(locale(), date);

/** A date of the home, such as "Sat 28 Nov". */
export const sayDate = (date: string): string => writeDate(locale(), date);

/** A local time of the home; a date with one and the zone of the home say which zone it is, where that is not the device's. */
export const sayTime = (time: string, zone?: string): string => writeTime(locale(), time, zone);

export const sayLocal = (dateTime: string, zone?: string): string =>
  `${sayDate(dateTime.slice(0, 10))}, ${sayTime(dateTime, zone)}`;

/** An instant, in the zone of a home or, without one, of this device. */
export const sayInstant = (instant: string | number, zone?: string): string =>
  writeInstant(
    locale(),
    typeof instant === 'number'
      ? Temporal.Instant.fromEpochMilliseconds(instant)
      : Temporal.Instant.from(instant),
    zone,
  );
