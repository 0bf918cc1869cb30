import { NightlatchError } from '@nightlatch/client';
import { speaker } from '../../words/speaker.ts';
import { en } from './en.ts';
import { vi } from './vi.ts';

export { sayGuests, sayNights } from '../../words/common/index.ts';
export { language } from '../../words/language.ts';
export * from '../../words/written.ts';

export type Sentence = keyof typeof en;
const languages = { vi, en };

export const { say, sayName } = speaker(languages);

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

/** How many of something a home has; nothing where that is not said. */
export const sayCount = (name: 'bedroom' | 'bed' | 'bathroom', count: number | null): string =>
  !count ? '' : count === 1 ? say(name) : say(`${name}s`, { count });
