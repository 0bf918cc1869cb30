import { writeFileSync } from 'node:fs';
import { derivedPages } from '../infra/docs/pages.ts';

/**
 * `npm run generate`: writes the generated pages and sections of the docs, and the samples in `events/`; a test fails when
 * they are outdated.
 */
for (const { file, text } of derivedPages()) writeFileSync(file, text);
