import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the key from which the data keys of a laptop are made: that of its kept data, else one for this run. */
export const localDataKey = (dataDir: string | undefined): string => {
  const made = randomBytes(32).toString('base64url');
  if (dataDir === undefined) return made;
  const file = join(dataDir, 'data-key');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, `${made}\n`, { mode: 0o600 });
  return made;
};
