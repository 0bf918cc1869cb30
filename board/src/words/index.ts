import { NightlatchError } from '@nightlatch/client';
import { en } from './en.ts';
import { keepLanguage } from './language.ts';
import { explain } from './problems.ts';
import { speaker } from './speaker.ts';
import { vi } from './vi.ts';
import { sayMoney } from './written.ts';

export type { Sentence } from './sentences.ts';

export { sayGuests, sayNights } from './common/index.ts';
export { language } from './language.ts';
export * from './written.ts';

const languages = { vi, en };
keepLanguage();

export const { say, sayName } = speaker(languages);

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
