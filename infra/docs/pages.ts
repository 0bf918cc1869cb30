import { readFileSync } from 'node:fs';
import { sampleEvents } from '../samples/index.ts';
import { type RecordShapes, recordShapes } from './record-shapes.ts';
import { referencePages } from './reference.ts';
import { sections, withSections } from './sections.ts';

const root = new URL('../../', import.meta.url);

const shapesPage = 'docs/reference/records.json';

/** Returns the checked-in shapes of stored records. */
export const knownShapes = (): RecordShapes =>
  JSON.parse(readFileSync(new URL(shapesPage, root), 'utf8')) as RecordShapes;

/** Returns every generated page and sample event with its path and expected text. */
export const derivedPages = (): { page: string; file: URL; text: string }[] => [
  ...Object.keys(sections).map((page) => {
    const file = new URL(page, root);
    return { page, file, text: withSections(page, readFileSync(file, 'utf8')) };
  }),
  ...Object.entries(referencePages).map(([page, make]) => ({ page, file: new URL(page, root), text: make() })),
  {
    page: shapesPage,
    file: new URL(shapesPage, root),
    text: `${JSON.stringify(recordShapes(knownShapes()), undefined, 2)}\n`,
  },
  ...Object.entries(sampleEvents()).map(([name, text]) => {
    const page = `events/${name}`;
    return { page, file: new URL(page, root), text };
  }),
];
