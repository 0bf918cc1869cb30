import { NightlatchError } from '@nightlatch/client';
import { effect, signal } from '@preact/signals';
import { Temporal } from 'temporal-polyfill';
import { en } from './en.ts';
import type { Sentence } from './sentences.ts';
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
  if (error.code in en && error.code !== 'INVALID_STATE_TRANSITION') return say(error.code as Sentence);
  // A sentence of the service says more than one of ours about any error of its kind.
  return error.status < 500
    ? `${error.code in en ? `${say(error.code as Sentence)} ` : ''}(${error.message})`
    : say('failed');
};

export const sayNights = (count: number): string => (count === 1 ? say('night') : say('nights', { count }));
export const sayGuests = (count: number): string => (count === 1 ? say('guest') : say('guests', { count }));

export const sayMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat(language.value, { style: 'currency', currency }).format(amount);

/** A price in a narrow place, such as "1.2M". */
export const sayShortly = (amount: number): string =>
  new Intl.NumberFormat(language.value, { notation: 'compact', maximumFractionDigits: 2 }).format(amount);

/** The head of a day: its weekday, and the day of its month. */
export const sayWeekday = (date: string): string =>
  Temporal.PlainDate.from(date).toLocaleString(language.value, { weekday: 'short' });
export const sayMonth = (date: string): string =>
  Temporal.PlainDate.from(date).toLocaleString(language.value, { month: 'short', year: 'numeric' });

/** A date of the home, such as "Sat 28 Nov". */
export const sayDate = (date: string): string =>
  Temporal.PlainDate.from(date).toLocaleString(language.value, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  });

/** A local time of the home, of a time or a date with one. */
export const sayTime = (time: string): string =>
  Temporal.PlainTime.from(time).toLocaleString(language.value, { hour: '2-digit', minute: '2-digit' });

export const sayLocal = (dateTime: string): string =>
  `${sayDate(dateTime.slice(0, 10))}, ${sayTime(dateTime)}`;

/** An instant, in the zone of a home or, without one, of this device. */
export const sayInstant = (instant: string | number, zone = Temporal.Now.timeZoneId()): string =>
  (typeof instant === 'number'
    ? Temporal.Instant.fromEpochMilliseconds(instant)
    : Temporal.Instant.from(instant)
  ).toLocaleString(language.value, {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
