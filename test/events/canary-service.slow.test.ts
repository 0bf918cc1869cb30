import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canary } from '../../functions/schedules/canary/index.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { fixedSecret } from '../../shared/platform/secrets/index.ts';
import { type StartedService, startService } from '../support/local-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const run = promisify(execFile);

interface SetUp {
  team_id: number;
  key_id: number;
  secret: { api_key: string };
  stage: { canary: { listing_id: number } };
}

const localDir = mkdtempSync(join(tmpdir(), 'nightlatch-canary-'));
let service: StartedService;
beforeAll(async () => {
  service = await startService({ LOCAL_DIR: localDir });
}, 60_000);
afterAll(async () => {
  await service.stop();
  rmSync(localDir, { recursive: true, force: true });
});

const setUp = async (...flags: string[]): Promise<unknown> => {
  const env = { ...process.env, LOCAL_DIR: localDir };
  const args = ['bin/operator.ts', 'canary', 'set-up', ...flags];
  return JSON.parse((await run(process.execPath, args, { env })).stdout);
};

const mails = async (): Promise<string> => (await fetch(`${service.ready.home_url}mailbox.json`)).text();
const isIdle = async (): Promise<boolean> => {
  const queues = (await (await fetch(`${service.ready.home_url}queues.json`)).json()) as {
    depth: number;
    in_flight: number;
  }[];
  return queues.every(({ depth, in_flight }) => depth === 0 && in_flight === 0);
};

it('the canary is set up by one command, books and cancels over HTTP, and mails no one', async () => {
  expect(await setUp('--dry-run')).toEqual({ dry_run: true, would_make: ['team', 'listing', 'key'] });
  const { team_id, key_id, secret, stage } = (await setUp()) as SetUp;
  const again = (await setUp()) as SetUp;
  expect(again).toMatchObject({ team_id, stage });
  expect(again.key_id).not.toBe(key_id);

  const bird = canary(() => ({
    url: service.ready.api_url,
    listingId: stage.canary.listing_id,
    secret: fixedSecret(secret),
    clock: systemClock,
    pick: randomInt,
    fetch,
  }));
  for (let runs = 0; runs < 3; runs++) expect(await bird()).toMatchObject({ left: 0 });

  const bookings = `${service.ready.api_url}/api/v1/external/bookings`;
  const headers = { 'X-API-Key': secret.api_key, 'Content-Type': 'application/json' };
  const { items } = (await (await fetch(bookings, { headers })).json()) as {
    items: { state: string; check_in_date: string; check_out_date: string }[];
  };
  expect(items.map(({ state }) => state)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);

  const { check_in_date, check_out_date } = items[0]!;
  const stay = { ...stage.canary, check_in_date, check_out_date, nights: 1, guest_number: 1 };
  const guest_info = { full_name: 'Canary', phone: '+84901234567', email: 'can-receive@example.com' };
  const body = JSON.stringify({ ...stay, guest_info, payment_method: 'CASH' });
  expect((await fetch(bookings, { method: 'POST', headers, body })).status).toBe(201);
  await waitUntil('the next guest has mail', async () => (await mails()).includes(guest_info.email));
  await waitUntil('all events are handled', isIdle);
  expect(await mails()).not.toContain('.invalid');
}, 60_000);
