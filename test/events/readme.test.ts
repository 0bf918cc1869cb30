import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedService, startService } from '../support/local-service.ts';
import { waitUntil } from '../support/wait-until.ts';

type Json = Record<string, unknown>;

interface Block {
  heading: string;
  sh: string;
}

/** Chapters whose commands need what this machine does not have. */
const notRun = new Map([
  ['Nightlatch', '`npm start` and `npm test` themselves'],
  ['Deploy', 'an AWS account, or Docker'],
]);

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** Every block of commands that the README prints, under its heading, in the order of the page. */
const printed: Block[] = readme.split(/^(?=#{1,3} )/m).flatMap((chapter) => {
  const heading = chapter.slice(0, chapter.indexOf('\n')).replace(/^#+ /, '');
  return [...chapter.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, sh = '']) => ({ heading, sh }));
});
const run = printed.filter(({ heading }) => !notRun.has(heading));

/** How a person's shell reads what is pasted: zsh takes no comments there. */
const shells: Record<string, string[]> = { bash: ['-es'], zsh: ['-fies'] };
const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

const mark = '== block ';

/** Pastes every block into one shell, from top to bottom; answers what each printed. */
const paste = async (shell: string, localDir: string): Promise<string[]> => {
  const script = run.map(({ sh }, at) => `echo; echo '${mark}${at}'\n${sh}`).join('');
  const child = spawn(shell, shells[shell] ?? [], { env: { ...process.env, LOCAL_DIR: localDir } });
  child.stdin.end(script);
  const ended = new Promise((resolve) => child.on('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(await ended, stderr).toBe(0);
  return stdout.split(/\n?== block \d+\n/).slice(1);
};

describe('the README', { timeout: 120_000 }, () => {
  const localDir = mkdtempSync(join(tmpdir(), 'nightlatch-readme-'));
  let service: StartedService;
  beforeAll(async () => {
    service = await startService({ LOCAL_DIR: localDir, RATE_LIMIT_KEY: '10000', RATE_LIMIT_USER: '10000' });
    await waitUntil('search knows the demo listings', async () => {
      const [, found = ''] = await paste('bash', localDir);
      return (JSON.parse(found) as { combos: object[] }).combos.length > 0;
    });
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    rmSync(localDir, { recursive: true, force: true });
  });

  it('has commands in the chapters that are known', () => {
    expect(new Set(run.map(({ heading }) => heading)).size).toBeGreaterThanOrEqual(11);
    expect([...notRun.keys()].filter((name) => !printed.some(({ heading }) => heading === name))).toEqual([]);
  });

  it('prints no comment behind a command: zsh would take it for words', () => {
    expect(printed.filter(({ sh }) => /(^|\s)#\s/m.test(sh))).toEqual([]);
  });

  describe.each(Object.keys(shells))('in %s', (shell) => {
    const times = isInstalled(shell) ? ['first', 'second'] : [];
    if (times.length === 0) it.skip(`is not run: ${shell} is not installed`);

    it.each(times)('runs as printed for the %s time', async () => {
      const said = await paste(shell, localDir);
      const json = (heading: string): Json[] =>
        said
          .filter((_, at) => run[at]?.heading === heading)
          .flatMap((out) => out.replaceAll('}{', '}\n{').split('\n'))
          .filter((line) => line.startsWith('{'))
          .map((line) => JSON.parse(line) as Json);

      const [listings, booking, found] = json('A confirmed booking in three lines');
      expect(listings).toMatchObject({ page: 1, limit: 3 });
      expect(booking).toMatchObject({ status: 'CONFIRMED', nights: 1 });
      expect(found).toMatchObject({ items: { length: expect.any(Number) as number } });
      expect(json('7. Hold the nights, then confirm')).toMatchObject([
        { reservations: [{ status: expect.stringMatching(/CONFIRMED|PENDING/) as string }] },
      ]);
      expect(json('8. See what your customers booked')).toMatchObject([{ total: 1 }, {}]);
      expect(json('Webhooks and the feed of events')).toMatchObject([
        { secret: expect.stringMatching(/^whsec_/) as string },
      ]);
      const operator = said.at(run.findIndex(({ heading }) => heading === "The operator's tool")) ?? '';
      expect(
        operator
          .trim()
          .split('\n')
          .slice(-5)
          .map((line) => JSON.parse(line) as Json),
      ).toMatchObject([
        { user_id: expect.any(Number) as number },
        { api_key: expect.any(String) as string },
        { items: { length: expect.any(Number) as number } },
        { dry_run: true, queue: 'notification' },
        { dry_run: true, would_publish: expect.any(Number) as number },
      ]);
    });
  });

  it('has sent the mails that it speaks of', async () => {
    const mails = async () =>
      (await (await fetch(`${service.ready.home_url}mailbox.json`)).json()) as { to: string }[];
    await waitUntil('guest and host have mail', async () => {
      const to = (await mails()).map((mail) => mail.to);
      return to.includes('binh@example.com') && to.includes(service.ready.demo.host.email);
    });
  });

  it('says what repeating the booking line does', async () => {
    const [booking] = run;
    const again = `${booking?.sh}${booking?.sh.trim().split('\n').at(-1)}`;
    const child = spawn('bash', ['-es'], { env: { ...process.env, LOCAL_DIR: localDir } });
    child.stdin.end(again.replaceAll(/^curl /gm, 'echo; curl '));
    const lines = (await text(child.stdout)).trim().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[2]).toBe(lines[1]);
  });
});
