import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Block, blocksOf, isTooling, pages } from '../support/docs.ts';
import { type StartedService, startService } from '../support/local-service.ts';
import { waitUntil } from '../support/wait-until.ts';

type Json = Record<string, unknown>;

const run = pages.flatMap(blocksOf).filter((block) => block.needs === undefined && !isTooling(block));
const runPages = pages.filter((page) => run.some((block) => block.page === page));
const blocksUnder = (heading: string): Block[] => run.filter((block) => block.heading === heading);

/** How a person's shell reads what is pasted: zsh takes no comments there. */
const shells: Record<string, string[]> = { bash: ['-es'], zsh: ['-fies'] };
/** Three in all: the pages invite one address, which at most three invitations reach in an hour. */
const timesIn: Record<string, string[]> = { bash: ['first', 'second'], zsh: ['third'] };
const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

const mark = '== block ';

/** Pastes blocks into one shell, from top to bottom; answers what each printed. */
const paste = async (shell: string, blocks: readonly Block[], localDir: string): Promise<string[]> => {
  const script = blocks.map(({ sh }, at) => `echo; echo '${mark}${at}'\n${sh}`).join('');
  const child = spawn(shell, shells[shell] ?? [], { env: { ...process.env, LOCAL_DIR: localDir } });
  child.stdin.end(script);
  const ended = new Promise((resolve) => child.on('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(await ended, stderr).toBe(0);
  return stdout.split(/\n?== block \d+\n/).slice(1);
};

const jsonLines = (out: string): Json[] =>
  out
    .replaceAll(/\}(?=[{[])/g, '}\n')
    .split('\n')
    .filter((line) => /^[{[]/.test(line))
    .map((line) => JSON.parse(line) as Json);

const id = expect.any(Number) as number;

/** What the pages promise, by the heading above the commands: the answers in JSON, as many as there are. */
const promised: Record<string, object[]> = {
  'A confirmed booking in three lines': [
    { page: 1, limit: 3 },
    { status: 'CONFIRMED', nights: 1 },
  ],
  '4. The e-mail has to be verified before booking': [{ code: 'EMAIL_NOT_VERIFIED' }],
  '7. Hold the nights, then confirm': [
    { reservations: [{ status: expect.stringMatching(/CONFIRMED|PENDING/) as string }] },
  ],
  '8. See what your customers booked': [{ total: 1 }, {}],
  'Search as a customer': [{ combos: expect.arrayContaining([expect.anything() as object]) as object }],
  'Webhooks and the feed of events': [{ secret: expect.stringMatching(/^whsec_/) as string }],
  'Sandbox scenarios': [
    { code: 'LISTING_NOT_AVAILABLE' },
    { code: 'PRICE_CHANGED' },
    { code: 'SERVICE_UNAVAILABLE' },
  ],
  Hosts: [
    { items: expect.any(Array) as object[] },
    { availability_id: id },
    { export_url: expect.stringContaining('calendar.ics') as string },
    { arrivals: expect.any(Array) as object[], unread: expect.any(Array) as object[] },
    {
      items: expect.arrayContaining([
        expect.objectContaining({ nights: expect.any(Array) as object[] }),
      ]) as object[],
    },
    { items: [], next_cursor: expect.any(String) as string, has_more: false },
  ],
  'Which stays are taken': [
    { date_rules: [{ min_nights: 3 }] },
    { code: 'STAY_NOT_ALLOWED', details: { reasons: [{ rule: 'min_nights', allowed: 3 }] } },
    { state: 'CANCELLED' },
    { date_rules: [] },
  ],
  'Bookings and guests': [
    { available: true, refund: { amount: 0 } },
    { state: 'CONFIRMED', nights: 2 },
    { state: 'CHECKED_IN' },
    { state: 'CONFIRMED' },
    { code: 'INVALID_STATE_TRANSITION', details: { no_show_from: expect.any(String) as string } },
    { state: 'CANCELLED', cancel_reason: 'The guest called off' },
    {
      items: ['created', 'changed', 'checked_in', 'check_in_undone', 'cancelled'].map((what) => ({
        ...{ event_type: `booking.${what}`, who: { kind: 'host' } },
      })),
    },
  ],
  'Declining, and a guest who does not come': [
    { state: 'CANCELLED', cancel_reason: 'The roof is being repaired', refund: { amount: 0 } },
    { now: expect.stringMatching(/T17:00:00\.\d+Z$/) as string },
    { state: 'NO_SHOW', refund: { amount: 0 } },
    { listing_id: id, message: 'The listing is archived.' },
    { offset_ms: 0 },
  ],
  'Many listings at once': [
    { dry_run: true, undo_id: null, items: [{ error: null }] },
    { is_done: true, items: [{ kept: [], error: null }] },
    { items: [{ changes: expect.any(Array) as object[] }, { changes: expect.any(Array) as object[] }] },
  ],
  'Keys and members': [
    { default_standard_check_in_time: '15:00:00' },
    { default_standard_check_in_time: null },
    { items: expect.arrayContaining([expect.objectContaining({ name: 'Channel manager' })]) as object[] },
    { id, message: 'The key is revoked.' },
    { id, message: 'The key is revoked.' },
    { items: expect.arrayContaining([expect.objectContaining({ email: 'hoa@example.com' })]) as object[] },
    { id },
  ],
};

/** Pages, a shell each: as someone reads them. */
describe('the commands of the docs', { timeout: 120_000 }, () => {
  const localDir = mkdtempSync(join(tmpdir(), 'nightlatch-docs-'));
  let service: StartedService;
  beforeAll(async () => {
    service = await startService({
      ...{ LOCAL_DIR: localDir, DEMO: 'full' },
      ...{ RATE_LIMIT_KEY: '10000', RATE_LIMIT_USER: '10000' },
    });
    await waitUntil('search knows the demo listings', async () => {
      const [found = ''] = await paste('bash', blocksUnder('Search as a customer'), localDir);
      return (JSON.parse(found) as { combos: object[] }).combos.length > 0;
    });
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    rmSync(localDir, { recursive: true, force: true });
  });

  it('are in the chapters that are known', () => {
    expect(runPages).toEqual([
      ...['README.md', 'docs/hosts.md', 'docs/money.md', 'docs/operate.md', 'docs/partners.md'],
    ]);
    expect(Object.keys(promised).filter((heading) => blocksUnder(heading).length === 0)).toEqual([]);
  });

  describe.each(Object.keys(shells))('in %s', (shell) => {
    const times = isInstalled(shell) ? (timesIn[shell] ?? []) : [];
    if (times.length === 0) it.skip(`are not run: ${shell} is not installed`);

    it.each(times.flatMap((time) => runPages.map((page) => ({ page, time }))))(
      'run as $page prints them for the $time time',
      async ({ page }) => {
        const blocks = run.filter((block) => block.page === page);
        const said = await paste(shell, blocks, localDir);
        for (const [at, { heading }] of blocks.entries())
          if (promised[heading]) expect(jsonLines(said[at] ?? ''), heading).toMatchObject(promised[heading]);
        if (page === 'docs/operate.md') expectOperated(blocks, said);
      },
    );
  });

  it('have sent the mails that the README speaks of', async () => {
    const mails = async () =>
      (await (await fetch(`${service.ready.home_url}mailbox.json`)).json()) as { to: string }[];
    await waitUntil('guest and host have mail', async () => {
      const to = (await mails()).map((mail) => mail.to);
      return to.includes('binh@example.com') && to.includes(service.ready.demo.host.email);
    });
  });

  it('book once when the booking line is repeated', async () => {
    const [booking] = blocksUnder('A confirmed booking in three lines');
    const again = `${booking?.sh}${booking?.sh.trim().split('\n').at(-1)}`;
    const child = spawn('bash', ['-es'], { env: { ...process.env, LOCAL_DIR: localDir } });
    child.stdin.end(again.replaceAll(/^curl /gm, 'echo; curl '));
    const lines = (await text(child.stdout)).trim().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[2]).toBe(lines[1]);
  });
});

const expectOperated = (blocks: readonly Block[], said: readonly string[]): void => {
  const outOf = (heading: string) => said[blocks.findIndex((block) => block.heading === heading)] ?? '';
  const clock = jsonLines(outOf('On the laptop'));
  expect(clock.length).toBeGreaterThan(2);
  const answers = outOf("The operator's tool")
    .trim()
    .split('\n')
    .slice(-7)
    .map((line) => JSON.parse(line) as Json);
  expect(answers).toMatchObject([
    { invitation_id: id },
    { api_key: expect.any(String) as string },
    { items: { length: id } },
    { dry_run: true, queue: 'notification' },
    { dry_run: true, would_publish: id },
    { indexed: id },
    { items: expect.any(Array) as unknown[] },
  ]);
};
