import { renameSync, writeFileSync } from 'node:fs';

/** A reader, or a restart after kill -9, sees the old text or the new one, never half of it. */
export const replaceFile = (path: string, text: string): void => {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
};
