let made: Intl.DisplayNames | undefined;
/** Made at first use: it costs more than all else that is loaded with a function. */
const names = () => (made ??= new Intl.DisplayNames(['vi'], { type: 'region', fallback: 'none' }));

/** The country's Vietnamese name; undefined for a code that stands for none. */
export const countryName = (code: string): string | undefined => {
  const name = /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? names().of(code) : undefined;
  return name === undefined || name === '' ? undefined : name;
};
