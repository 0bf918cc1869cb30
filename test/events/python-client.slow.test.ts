import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedService, startService } from '../support/local-service.ts';

const generator = 'openapi-python-client';
const generatorPath = spawnSync('sh', ['-c', `command -v ${generator}`], { encoding: 'utf8' }).stdout.trim();
const missing = generatorPath === '' ? ` (skipped: no ${generator} in the PATH)` : '';

/** The Python that the generator is installed in has what its clients import. */
const pythonOf = (script: string): string => /^#!(\S+)/.exec(readFileSync(script, 'utf8'))?.[1] ?? 'python3';

describe.skipIf(missing !== '')(`a generated Python client${missing}`, { timeout: 120_000 }, () => {
  let service: StartedService;
  const folder = mkdtempSync(join(tmpdir(), 'nightlatch-python-'));
  beforeAll(async () => void (service = await startService()), 60_000);
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = promisify(execFile);

  it('is made without a warning, compiles, books and cancels', async () => {
    const { api_url, demo } = service.ready;
    const document = await (await fetch(`${api_url}/openapi.json`)).text();
    writeFileSync(join(folder, 'openapi.json'), document);
    const python = pythonOf(generatorPath);
    // The generator knows no pictures; as text it hands on the SVG that the service sends.
    const config = 'post_hooks: []\ncontent_type_overrides:\n  image/svg+xml: text/xml\n';
    writeFileSync(join(folder, 'config.yml'), config);
    const made = await run(
      generatorPath,
      [
        'generate',
        '--path',
        'openapi.json',
        '--output-path',
        'nightlatch_client',
        '--meta',
        'none',
        '--config',
        'config.yml',
      ],
      { cwd: folder },
    );
    expect(`${made.stdout}${made.stderr}`.trim()).toBe('Generating nightlatch_client');
    await run(python, ['-m', 'compileall', '-q', 'nightlatch_client'], { cwd: folder });
    copyFileSync(join(import.meta.dirname, '../fixtures/client/book.py'), join(folder, 'book.py'));
    const env = { ...process.env, API_URL: api_url, API_KEY: demo.api_key };
    const { stdout } = await run(python, ['book.py'], { cwd: folder, env });
    expect(JSON.parse(stdout)).toEqual({
      is_same: true,
      is_replayed: 'true',
      refusal: 'LISTING_NOT_AVAILABLE',
      guest: 'Trần Thị Bình',
      state: 'CANCELLED',
    });
  });
});
