import { readFileSync, writeFileSync } from 'node:fs';
import { withSections } from '../infra/readme/sections.ts';

/** `npm run generate`: makes the derived sections of the README anew; a test says when that was forgotten. */
const readme = new URL('../README.md', import.meta.url);
writeFileSync(readme, withSections(readFileSync(readme, 'utf8')));
