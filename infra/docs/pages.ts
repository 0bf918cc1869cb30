import { readFileSync } from 'node:fs';
import { sampleEvents } from '../samples/index.ts';
import { referencePages } from './reference.ts';
import { sections, withSections } from './sections.ts';

const root = new URL('../../', import.meta.url);

/** Returns every generated page and sample event with its path and expected text. */
export const derivedPages = (): { page: string; file: URL; text: string }[] => [
  ...Object.keys(sections).map((page) => {
    const file = new URL(page, root);
    return { page, file, text: withSections(page, readFileSync(file, 'utf8')) };
  }),
  ...Object.entries(referencePages).map(([page, make]) => ({ page, file: new URL(page, root), text: make() })),
  ...Object.entries(sampleEvents()).map(([name, text]) => {
    const page = `events/${name}`;
    return { page, file: new URL(page, root), text };
  }),
];
