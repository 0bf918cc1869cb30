import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedService, startService } from '../support/local-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const run = promisify(execFile);
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** A block of the README's lines as a newcomer pastes them, with this service's `ready.json` in the place of the default one. */
const linesOf = (block: 'booking' | 'search', readyFile: string): string => {
  const section = readme.split('## A confirmed booking in three lines')[1] ?? '';
  return (section.split('```')[block === 'booking' ? 1 : 3] ?? '')
    .replace('sh', '')
    .trim()
    .replaceAll('.local/ready.json', readyFile);
};

describe('the README', { timeout: 60_000 }, () => {
  const localDir = mkdtempSync(join(tmpdir(), 'nightlatch-readme-'));
  let service: StartedService;
  beforeAll(async () => {
    service = await startService({ LOCAL_DIR: localDir });
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    rmSync(localDir, { recursive: true, force: true });
  });

  it('finds places for six in Đà Lạt within seconds of the start', async () => {
    const script = linesOf('search', join(localDir, 'ready.json'));
    await waitUntil('search knows the demo listings', async () => {
      const { stdout } = await run('bash', ['-ec', script]);
      const { items, combos } = JSON.parse(stdout) as { items: object[]; combos: object[] };
      return items.length > 0 && combos.length > 0;
    });
  });

  it('leads to a confirmed booking in three curl lines, and to mail for guest and host', async () => {
    const script = linesOf('booking', join(localDir, 'ready.json'));
    expect(script.match(/^curl /gm)).toHaveLength(3);
    const { stdout } = await run('bash', ['-ec', script.replaceAll(/^curl /gm, 'echo; curl ')]);
    const [listings, availability, booking] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(listings).toMatchObject({ page: 1, limit: 3 });
    expect(availability).toMatchObject({ granularity: 'day', items: [{ available: true }, {}, {}, {}] });
    expect(booking).toMatchObject({ status: 'CONFIRMED', nights: 3 });
    const mails = async () =>
      (await (await fetch(`${service.ready.home_url}mailbox.json`)).json()) as { to: string }[];
    await waitUntil('guest and host have mail', async () => {
      const to = (await mails()).map((mail) => mail.to);
      return to.includes('binh@example.com') && to.includes(service.ready.demo.host.email);
    });
  });
});
