import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** Returns the TypeScript files below some folders, relative to the project's root. */
export const sourceFiles = (folders: readonly string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
  );

export const sourceOf = (file: string): string => readFileSync(new URL(file, root), 'utf8');
