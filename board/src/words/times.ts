import { Temporal } from 'temporal-polyfill';

/** Returns the first of the browser's locales that is of a language; the language alone where none is. */
export const localeOf = (language: string, preferred: readonly string[]): string =>
  preferred.find((one) => new RegExp(`^${language}(-[a-z0-9]{1,8})*$`, 'i').test(one)) ?? language;

const here = (): string => Temporal.Now.timeZoneId();

/** Vietnamese has no short names of months: it writes their numbers. */
const monthOf = (locale: string) => ({
  month: locale.toLowerCase().startsWith('vi') ? ('numeric' as const) : ('short' as const),
});

/** Another year than this one is said. */
const dayOf = (locale: string, { year }: { year: number }) => ({
  day: 'numeric' as const,
  ...monthOf(locale),
  ...(year === Temporal.Now.plainDateISO().year ? {} : { year: 'numeric' as const }),
});

/** The zone is said where its clocks differ from those of the device. */
const timeOf = (at: Temporal.ZonedDateTime, device: string) => ({
  hour: '2-digit' as const,
  minute: '2-digit' as const,
  ...(at.offsetNanoseconds === at.withTimeZone(device).offsetNanoseconds
    ? {}
    : { timeZoneName: 'short' as const }),
});

export const writeMonth = (locale: string, date: string): string =>
  Temporal.PlainDate.from(date).toLocaleString(locale, { ...monthOf(locale), year: 'numeric' });

export const writeDate = (locale: string, date: string): string => {
  const day = Temporal.PlainDate.from(date);
  return day.toLocaleString(locale, { weekday: 'short', ...dayOf(locale, day) });
};

/** `zone` is of a home; `time` has a date with it. */
export const writeTime = (locale: string, time: string, zone?: string, device = here()): string => {
  if (zone === undefined)
    return Temporal.PlainTime.from(time).toLocaleString(locale, { hour: '2-digit', minute: '2-digit' });
  const at = Temporal.PlainDateTime.from(time).toZonedDateTime(zone);
  return at.toLocaleString(locale, timeOf(at, device));
};

export const writeInstant = (
  locale: string,
  instant: Temporal.Instant,
  zone = here(),
  device = here(),
): string => {
  const at = instant.toZonedDateTimeISO(zone);
  return at.toLocaleString(locale, { ...dayOf(locale, at), ...timeOf(at, device) });
};
