import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the TypeScript files below a folder. */
export const sourceFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path));
