import { renameSync, writeFileSync } from 'node:fs';

/** Replaces a file, which only its owner reads, atomically: readers, and a restart after kill -9, see the old text or the new one. */
export const replaceFile = (path: string, text: string): void => {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
};
