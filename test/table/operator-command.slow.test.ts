import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Queues, startQueues } from '../../infra/local/queues/index.ts';
import { connect } from '../../infra/operator/connect.ts';
import { operate } from '../../infra/operator/operate.ts';
import { TeamEntity } from '../../shared/domain/people/team.store.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { workQueues } from '../../shared/schedules.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { tableEndpoint } from '../support/aws-env.ts';
import { refusalOf } from '../support/operator.ts';
import { testTable, testTableName } from '../support/table.ts';

let queues: Queues;
beforeAll(async () => {
  queues = await startQueues({ queues: [...subscriptions, ...workQueues], log: () => undefined });
});
afterAll(() => queues.stop());

test('the operator’s command works against the service that runs here, at the time of its test clock', async () => {
  const LOCAL_DIR = await mkdtemp(join(tmpdir(), 'nightlatch-operator-'));
  const table = { endpoint: tableEndpoint(), name: await testTableName() };
  const client = { client_id: 'c', client_secret: 's', audience: 'a' };
  await writeFile(
    join(LOCAL_DIR, 'ready.json'),
    JSON.stringify({
      api_url: 'http://127.0.0.1:1',
      auth_url: 'http://127.0.0.1:1',
      client,
      table,
      queues: { endpoint: queues.endpoint },
      bus: { endpoint: queues.endpoint, name: 'local' },
      payments: { endpoint: queues.endpoint },
      clock: { offset_ms: 400 * 24 * 3_600_000 },
    }),
  );
  const args = ['bin/operator.ts', 'team', 'create', '--name', 'From outside'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, LOCAL_DIR },
  });
  const { team_id } = JSON.parse(stdout) as { team_id: number };
  const team = await (await testTable()).get(TeamEntity, { team_id });
  expect(team?.name).toBe('From outside');
  const aheadMs = Date.parse(team!.created_at) - systemClock.now();
  expect(Math.round(aheadMs / (24 * 3_600_000))).toBe(400);
  await rm(LOCAL_DIR, { recursive: true });
});

test('a stage that does not answer is not found, and it is said what was looked for and where', async () => {
  const env = { AWS_REGION: process.env['AWS_REGION'] };
  const refusal = refusalOf(
    await operate(['team', 'list', '--stage', 'nope'], (stage) => connect(stage, env)),
  );
  expect(refusal.code).toBe('NOT_FOUND');
  expect(refusal.message).toMatch(
    /^Stage "nope" was not found\. Looked for table nightlatch-nope in [a-z]+-/,
  );
});
