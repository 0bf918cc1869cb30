const made = new Map<string, Intl.DisplayNames>();
/** Made at first use: it costs more than all else that is loaded with a function. */
const namesIn = (language: string): Intl.DisplayNames => {
  const names = made.get(language) ?? new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  made.set(language, names);
  return names;
};

/** The country's name, Vietnamese unless told otherwise; undefined for a code that stands for none. */
export const countryName = (code: string, language = 'vi'): string | undefined => {
  const name = /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? namesIn(language).of(code) : undefined;
  return name === undefined || name === '' ? undefined : name;
};

/** What the country is called in Vietnamese, in English and at home. */
export const countryNames = (code: string): string[] => {
  if (countryName(code) === undefined) return [];
  const { language } = new Intl.Locale(`und-${code}`).maximize();
  const names = ['vi', 'en', language].map((spoken) => countryName(code, spoken));
  return [...new Set(names.filter((name) => name !== undefined))];
};
