import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ready } from '../../infra/local/ready.ts';
import { type StartedService, startService } from '../support/local-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const run = promisify(execFile);

interface Confirmation {
  master_reservation_id: number;
  reservations: { id: number; status: string }[];
}
interface Mail {
  to: string;
  subject: string;
}

/** Runs the lines that the service has printed, as a person would who pastes them. */
const pasteLines = async (service: StartedService): Promise<Confirmation> => {
  const lines = service.output().match(/^(TOKEN=|curl ).*$/gm) ?? [];
  expect(lines).toHaveLength(3);
  const { stdout } = await run('bash', ['-ec', lines.join('\necho\n')]);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Confirmation;
};
const mailsOf = async (service: StartedService): Promise<Mail[]> =>
  (await (await fetch(`${service.ready.home_url}mailbox.json`)).json()) as Mail[];

/** Processes whose command line names a folder: the emulator and its guard. */
const processesOf = (folder: string): string[] =>
  process.platform === 'linux'
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
        .filter((name) => readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder))
    : [];

describe('npm start, with a folder to keep the data in', { timeout: 90_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightlatch-start-'));
  const env = { DATA_DIR: join(folder, 'data'), LOCAL_DIR: join(folder, 'local') };
  const readyFile = join(env.LOCAL_DIR, 'ready.json');
  let service: StartedService;
  let booked: Confirmation;
  beforeAll(async () => {
    service = await startService(env);
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('prints three lines that end in a confirmed booking', async () => {
    await waitUntil('the lines are printed', () => service.output().includes('Ctrl-C'));
    booked = await pasteLines(service);
    expect(booked.reservations).toMatchObject([{ status: 'CONFIRMED' }]);
  });

  it('gives the same booking when they are pasted again', async () => {
    expect(await pasteLines(service)).toEqual(booked);
  });

  it('writes to guest and host within three seconds', async () => {
    const { guest, host } = service.ready.demo;
    const recipients = async () => (await mailsOf(service)).map(({ to }) => to);
    await waitUntil(
      'both have mail',
      async () => {
        const addresses = await recipients();
        return [guest.email, host.email].every((email) => addresses.includes(email));
      },
      3000,
    );
  });

  it('says in ready.json how far its test clock is ahead, for the operator’s tool', async () => {
    const offset = () => (JSON.parse(readFileSync(readyFile, 'utf8')) as Ready).clock.offset_ms;
    expect(offset()).toBe(0);
    const move = { method: 'POST', body: JSON.stringify({ advance: 'PT1S' }) };
    const headers = { 'Content-Type': 'application/json' };
    await fetch(`${service.ready.home_url}clock`, { ...move, headers });
    expect(offset()).toBe(1000);
    await fetch(`${service.ready.home_url}clock`, { method: 'DELETE' });
    expect(offset()).toBe(0);
  });

  it('goes on after its clock was three years ahead and is right again', async () => {
    const { demo, home_url: home, api_url: api } = service.ready;
    const headers = { 'Content-Type': 'application/json' };
    const set = (method: string, body?: object) =>
      fetch(`${home}clock`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const events = async (): Promise<number> => {
      let after: string | undefined;
      for (let count = 0, polls = 0; ; polls++) {
        const query = new URLSearchParams({ limit: '100', ...(after === undefined ? {} : { after }) });
        const reply = await fetch(`${api}/api/v1/external/events?${query.toString()}`, {
          headers: { 'X-API-Key': demo.api_key },
        });
        const page = (await reply.json()) as { items: unknown[]; next_cursor: string; has_more: boolean };
        count += page.items.length;
        after = page.next_cursor;
        if (!page.has_more) return count;
        expect(polls).toBeLessThan(100);
      }
    };
    const before = await events();
    expect((await set('POST', { advance: 'P3Y' })).status).toBe(200);
    await events();
    await set('POST', { advance: 'P1Y' });
    await set('DELETE');
    expect(await events()).toBeLessThanOrEqual(before);
    expect((await set('POST', { now: '0001-01-01T00:00:00Z' })).status).toBe(400);
    expect((await fetch(`${api}/healthz`)).status).toBe(200);
  });

  it('has nothing left in its queues', async () => {
    const depths = async () =>
      (await (await fetch(`${service.ready.home_url}queues.json`)).json()) as Record<string, number>[];
    await waitUntil('the queues are empty', async () =>
      (await depths()).every(({ depth, in_flight }) => depth === 0 && in_flight === 0),
    );
    expect((await depths()).filter(({ dead_letters }) => dead_letters !== 0)).toEqual([]);
  });

  it('ends on SIGTERM, with every process it has started', async () => {
    expect(processesOf(env.DATA_DIR)).not.toEqual([]);
    expect(await service.stop('SIGTERM')).toBe(0);
    await waitUntil('its processes are gone', () => processesOf(env.DATA_DIR).length === 0, 3000);
    expect(existsSync(readyFile)).toBe(false);
  });

  it('knows everything again after kill -9 and a restart', async () => {
    const stay = async () => {
      const { api_url, demo } = service.ready;
      const address = `${api_url}/api/v1/external/bookings/${booked.reservations[0]?.id}`;
      return (await fetch(address, { headers: { 'X-API-Key': demo.api_key } })).json();
    };
    service = await startService(env);
    // The schedules of the clock that was moved may have closed it.
    const before = await stay();
    await service.stop('SIGKILL');
    rmSync(readyFile, { force: true });
    service = await startService(env);
    await waitUntil('the lines are printed', () => service.output().includes('Ctrl-C'));
    const { guest } = service.ready.demo;
    expect((await mailsOf(service)).map(({ to }) => to)).toContain(guest.email);
    expect(before).toMatchObject({ id: booked.reservations[0]?.id });
    expect(await stay()).toEqual(before);
    const [next] = (await pasteLines(service)).reservations;
    expect(next).toMatchObject({ status: 'CONFIRMED' });
    expect(next?.id).not.toBe(booked.reservations[0]?.id);
  });
});

describe('npm start with options', { timeout: 60_000 }, () => {
  it('--quiet prints one line, and no credentials', async () => {
    const service = await startService({}, ['--quiet']);
    await waitUntil('the line is printed', () => service.output().includes('\n'));
    const { api_url, home_url } = service.ready;
    expect(service.output()).toMatch(/^Nightlatch is up after \d+\.\d s: [^\n]*\n$/);
    expect(service.output()).toContain(`API ${api_url}, home page ${home_url}`);
    expect(await service.stop()).toBe(0);
  });

  it('refuses an unknown option with its usage', async () => {
    const refusal = await startService({}, ['--silent']).catch((error: unknown) => String(error));
    expect(refusal).toMatch(/status 2: Unknown option '--silent'[^]*npm start -- \[options\]/);
  });
});

describe('npm start, where something is in the way', { timeout: 60_000 }, () => {
  const lineOf = async (env: Record<string, string>): Promise<string> => {
    const refusal = await startService(env).then(
      () => 'it started',
      (error: unknown) => String(error),
    );
    const [, line] = /did not start, status 1: Nightlatch did not start: ([^\n]*)\n$/.exec(refusal) ?? [];
    return line ?? refusal;
  };

  it('says in one line which ports are taken, and ends', async () => {
    const service = await startService();
    const [port, authPort] = [service.ready.api_url, service.ready.auth_url].map((url) => new URL(url).port);
    expect(await lineOf({ PORT: `${port}` })).toBe(
      `PORT ${port} is taken. Set PORT to another port, or to 0 for any free one.`,
    );
    expect(await lineOf({ PORT: `${port}`, AUTH_PORT: `${authPort}` })).toBe(
      `PORT ${port} is taken, AUTH_PORT ${authPort} is taken. Set PORT and AUTH_PORT to another port, or to 0 for any free one.`,
    );
    expect(await service.stop()).toBe(0);
  });

  it.each([
    [{ AUTH_PORT: 'http' }, 'The environment is not as it must be. AUTH_PORT: must be a port, 0 to 65535'],
    [
      { SOFT_LOCK_MINUTES: 'abc' },
      'The environment is not as it must be. SOFT_LOCK_MINUTES: must be a whole number of minutes from 1 to 60',
    ],
    [
      { PORT: '4100', AUTH_PORT: '4100' },
      'PORT and AUTH_PORT are both 4100. Set one of them to another port, or to 0.',
    ],
  ])('refuses %j in one line', async (env: Record<string, string>, line) => {
    expect(await lineOf(env)).toBe(line);
  });
});
