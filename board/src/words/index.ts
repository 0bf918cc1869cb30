import { NightlatchError } from '@nightlatch/client';
import { en } from './en.ts';
import { keepLanguage, language } from './language.ts';
import { explain } from './problems.ts';
import type { Sentence } from './sentences.ts';
import { vi } from './vi.ts';
import { sayMoney } from './written.ts';

export type { Sentence } from './sentences.ts';

export { chooseLanguage, language } from './language.ts';
export * from './written.ts';

const languages = { vi, en };
keepLanguage();

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
