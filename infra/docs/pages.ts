import { existsSync, readFileSync } from 'node:fs';
import { sampleEvents } from '../samples/index.ts';
import { changesBetween } from './api-changes.ts';
import { type Surface, surfaceOf, surfaceText } from './api-surface.ts';
import { stageSchema } from '../cloud/stage-file.ts';
import { pictures } from './pictures.ts';
import { type RecordShapes, recordShapes } from './record-shapes.ts';
import { referencePages } from './reference.ts';
import { sections, withSections } from './sections.ts';

const root = new URL('../../', import.meta.url);

const shapesPage = 'docs/reference/records.json';

/** Returns the checked-in shapes of stored records. */
export const knownShapes = (): RecordShapes =>
  JSON.parse(readFileSync(new URL(shapesPage, root), 'utf8')) as RecordShapes;

const surfacePage = 'docs/reference/api-surface.json';

/** Returns the checked-in surface of the API; empty without a file. */
export const knownSurface = (): Surface => {
  const file = new URL(surfacePage, root);
  if (!existsSync(file)) return { operations: {}, webhooks: {}, schemas: {} };
  return JSON.parse(readFileSync(file, 'utf8')) as Surface;
};

const schemaPage = 'stages/schema.json';

/** The surface with what was added; it stays as it was while something that clients rely on is missing. */
const surfaceToKeep = (): string => {
  const [known, now] = [knownSurface(), surfaceOf()];
  return surfaceText(changesBetween(known, now).breaking.length > 0 ? known : now);
};

/** Returns every generated page and sample event with its path and expected text. */
export const derivedPages = (): { page: string; file: URL; text: string }[] => [
  ...Object.keys(sections).map((page) => {
    const file = new URL(page, root);
    return { page, file, text: withSections(page, readFileSync(file, 'utf8')) };
  }),
  ...Object.entries(referencePages).map(([page, make]) => ({
    page,
    file: new URL(page, root),
    text: make(),
  })),
  {
    page: shapesPage,
    file: new URL(shapesPage, root),
    text: `${JSON.stringify(recordShapes(knownShapes()), undefined, 2)}\n`,
  },
  {
    page: schemaPage,
    file: new URL(schemaPage, root),
    text: `${JSON.stringify(stageSchema(), undefined, 2)}\n`,
  },
  ...Object.entries(pictures).map(([page, make]) => ({ page, file: new URL(page, root), text: make() })),
  { page: surfacePage, file: new URL(surfacePage, root), text: surfaceToKeep() },
  ...Object.entries(sampleEvents()).map(([name, text]) => {
    const page = `events/${name}`;
    return { page, file: new URL(page, root), text };
  }),
];
