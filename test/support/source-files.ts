import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The TypeScript files below a folder of the project. */
export const sourceFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path));
