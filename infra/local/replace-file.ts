import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Replaces a file atomically: readers, and a restart after kill -9, see the old text or the new one. Only this user reads it:
 * such files have keys, passwords and mails.
 */
export const replaceFile = (path: string, text: string): void => {
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
};
