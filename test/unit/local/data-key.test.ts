import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { localDataKey } from '../../../infra/local/data-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightlatch-data-key-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('the data key of kept data is made once, in a file that only its owner reads', () => {
  const dataDir = join(folder, 'data');
  const key = localDataKey(dataDir);
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(localDataKey(dataDir)).toBe(key);
  const file = join(dataDir, 'data-key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toBe(`${key}\n`);
});

it('the data key of data that is not kept is another at each start', () => {
  expect(localDataKey(undefined)).not.toBe(localDataKey(undefined));
});
