import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolders, startService } from './http/service.ts';

const root = join(import.meta.dirname, '../..');

/** Runs `npm run prove -- …` in a child process. */
const prove = (...args: string[]): Promise<{ status: unknown; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['bin/prove.ts', ...args], { cwd: root }, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, stdout, stderr }),
    );
  });

describe('npm run prove', { timeout: 60_000 }, () => {
  it('says with --help what it takes, and ends well', async () => {
    const { status, stdout, stderr } = await prove('--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('--schedules N');
  });

  it.each([
    ['--shedules', "Unknown option '--shedules'"],
    ['--schedules=many', '--schedules takes a whole number'],
    ['--shard=half', '--shard takes a part'],
    ['--record', '--record belongs to --calendars'],
    ['extra', 'extra'],
  ])(
    'refuses %s by its name, with the usage and status 2, and without a stack trace',
    async (arg, message) => {
      const { status, stdout, stderr } = await prove(arg);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain(message);
      expect(stderr).toContain('--schedules N');
      expect(stderr).not.toMatch(/^ +at /m);
    },
  );
});

it(
  'a service that does not come up says why: its status and its last lines',
  { timeout: 60_000 },
  async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const folders = newFolders();
    try {
      const at = { api_url: `http://127.0.0.1:${port}`, auth_url: 'http://127.0.0.1:0' };
      const started = startService({ folders, at });
      await expect(started).rejects.toThrow(/ended with status 1 instead of coming up/);
      await expect(started).rejects.toThrow(String(port));
    } finally {
      folders.remove();
      taken.close();
    }
  },
);
