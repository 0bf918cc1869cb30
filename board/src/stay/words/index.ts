import { NightlatchError } from '@nightlatch/client';
import { language } from '../../words/language.ts';
import { en } from './en.ts';
import { vi } from './vi.ts';

export { chooseLanguage, language } from '../../words/language.ts';
export * from '../../words/written.ts';

export type Sentence = keyof typeof en;
const languages = { vi, en };

/** Returns a sentence in the language that is shown. */
export const say = (name: Sentence, values: Readonly<Record<string, string | number>> = {}): string =>
  languages[language.value][name].replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''));

/** Returns the word of a name that the API has given; a name that is new is shown as it is. */
export const sayName = (name: string, family = ''): string =>
  family + name in en ? say((family + name) as Sentence) : name;

/** Returns what an error means for the guest. */
export const sayError = (error: unknown): string => {
  if (!(error instanceof NightlatchError)) return say('unsure');
  const { issues } = error.details as { issues?: unknown };
  const [field] = (Array.isArray(issues) ? issues : [])
    .map((issue: { path?: unknown }) => `field_${String(issue.path)}`)
    .filter((name) => name in en);
  if (field !== undefined) return say('badField', { field: say(field as Sentence) });
  if (/^[A-Z][A-Z_]+$/.test(error.code) && error.code in en) return say(error.code as Sentence);
  return say(error.status < 500 ? 'refused' : 'failed');
};

export const sayNights = (count: number): string => (count === 1 ? say('night') : say('nights', { count }));
export const sayGuests = (count: number): string => (count === 1 ? say('guest') : say('guests', { count }));

/** How many of something a home has; nothing where that is not said. */
export const sayCount = (name: 'bedroom' | 'bed' | 'bathroom', count: number | null): string =>
  !count ? '' : count === 1 ? say(name) : say(`${name}s`, { count });
