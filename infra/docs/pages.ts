import { readFileSync } from 'node:fs';
import { sampleEvents } from '../samples/index.ts';
import { referencePages } from './reference.ts';
import { sections, withSections } from './sections.ts';

const root = new URL('../../', import.meta.url);

/** Every page and sample event that is derived, in part or whole, with its place and its text as it should be. */
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
