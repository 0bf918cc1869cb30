import { writeFileSync } from 'node:fs';
import { derivedPages } from '../infra/docs/pages.ts';

/** `npm run generate`: makes the derived pages and sections of the docs, and the samples in `events/`, anew; a test says when that was forgotten. */
for (const { file, text } of derivedPages()) writeFileSync(file, text);
