import { Temporal } from 'temporal-polyfill';
import { language } from './language.ts';
import { localeOf, writeDate, writeInstant, writeMonth, writeTime } from './times.ts';

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
