import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildFunctions } from '../../infra/local/functions.ts';
import { readLocalEnv } from '../../infra/local/settings.ts';
import { instantText, systemClock } from '../../shared/platform/clock.ts';
import { measureFloor } from './floor/measure-floor.ts';

const { values: given } = parseArgs({
  options: {
    'raw-loop': { type: 'boolean' },
    requests: { type: 'string', default: '60' },
    blocks: { type: 'string', default: '5' },
  },
});
const log = (line: string): void => console.error(line);
const { LOCAL_DIR = '.local' } = readLocalEnv();
const folder = mkdtempSync(join(tmpdir(), 'nightlatch-bench-'));
try {
  const { folder: functions } = await buildFunctions(resolve(LOCAL_DIR), log);
  const today = instantText(systemClock.now()).slice(0, 10);
  const [requests, blocks] = [Number(given.requests), Number(given.blocks)];
  console.table(await measureFloor({ folder, functions, requests, blocks, listings: 60, today, log }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
