import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { routeGroups } from '../../functions/routes.ts';
import { functionSources, projectRoot } from '../../infra/bundling.ts';
import { type JsonServer, startJsonServer } from '../../infra/local/json-server.ts';
import { sampleEvents } from '../../infra/samples/index.ts';
import { sampleWorld } from '../../infra/samples/sample-world.ts';
import { missingOf } from '../support/rights/table-right.ts';
import { testTableName } from '../support/table.ts';
import { tableEndpoint } from '../support/aws-env.ts';
import startTableForTheRun from '../support/table-server.ts';
import { canary, stageWith, vnpay } from './cloud/stages.ts';
import { synthesize, target } from './cloud/synthesized.ts';
import { apiOfCanary } from './samples/api-of-canary.ts';
import { deployedHandler } from './samples/deployed.ts';
import { sampleEnvironment } from './samples/environment.ts';
import { type Policy, type Recorder, recordRequests, tableStatementsOf } from './samples/recorder.ts';
import { fillWorld } from './samples/world.ts';

const folder = join(projectRoot, 'events');
const samples = readdirSync(folder).filter((file) => file.endsWith('.json'));
const nameOf = (source: string) => source.split('/').at(-1) ?? '';
const names = functionSources().map(({ name }) => nameOf(name));
const samplesOf = (name: string) => samples.filter((file) => file.startsWith(`${name}.`));
const eventOf = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));

const groups = new Map(routeGroups.map(({ group, routes }) => [group, Object.values(routes)]));
const namesIn = (family: string) =>
  functionSources()
    .filter(({ name }) => name.startsWith(`${family}/`))
    .map(({ name }) => nameOf(name));
const workers = namesIn('workers');
const schedules = namesIn('schedules');

/** What a schedule's sample answers, and what it asks of the services beside the table. */
const outcomes: Record<string, { answer: object; requests: string[] }> = {
  'poll-calendars': {
    answer: { queued: 1 },
    requests: ['AmazonSQS.GetQueueAttributes', 'AmazonSQS.SendMessageBatch'],
  },
  'reconcile-payments': { answer: { reconciled: 0, failed: 0 }, requests: [] },
  'send-due-mails': { answer: { done: 0, failed: 0 }, requests: [] },
  'move-due-bookings': {
    answer: {
      ...{ balance_due: 0, cancelled: 0, change_ended: 0, completed: 0 },
      ...{ checked_out: 0, no_show: 0, failed: 0 },
    },
    requests: [],
  },
  'audit-bookings': { answer: { orders: 0, findings: 0, finished: true }, requests: [] },
  canary: { answer: { booking_id: sampleWorld.order_id, left: 0 }, requests: [] },
  'retry-webhooks': {
    answer: { queued: 1 },
    requests: ['AmazonSQS.GetQueueAttributes', 'AmazonSQS.SendMessageBatch'],
  },
};

const cloud = synthesize(
  stageWith('dev', { disposable: true, canary, payment: { ...vnpay, tmn_code: sampleWorld.vnpay.tmn_code } }),
);
const requests: { target: string; body: unknown }[] = [];
let stopTable: () => Promise<void>;
let services: JsonServer;
let recorder: Recorder;
let environment: Record<string, string>;

/** EventBridge, KMS, Secrets Manager, SES and SQS, as far as the samples go. */
const answer = (target: string, body: unknown) => {
  if (target === 'secretsmanager.GetSecretValue') {
    const SecretString = JSON.stringify({
      client_secret: 'x',
      vnpay_hash_secret: sampleWorld.vnpay.secret,
      api_key: 'nl_dev_sample',
    });
    return { status: 200, body: { SecretString } };
  }
  if (target === 'TrentService.GenerateMac')
    return { status: 200, body: { Mac: Buffer.alloc(32).toString('base64') } };
  requests.push({ target, body });
  const entries = (body as { Entries?: unknown[] } | undefined)?.Entries ?? [];
  return {
    status: 200,
    body: { FailedEntryCount: 0, Entries: entries.map(() => ({ EventId: 'sent' })), MessageId: 'sent' },
  };
};

beforeAll(async () => {
  stopTable = await startTableForTheRun();
  services = await startJsonServer(
    ({ headers, path, body }) => answer(String(headers['x-amz-target'] ?? path), body),
    () => undefined,
  );
  await fillWorld();
  recorder = await recordRequests(tableEndpoint());
  environment = {
    AWS_ENDPOINT_URL_DYNAMODB: recorder.endpoint,
    TABLE_NAME: await testTableName(),
    ...sampleEnvironment(services.endpoint),
    RATE_LIMIT_KEY: '600',
    RATE_LIMIT_USER: '120',
    LOG_LEVEL: 'SILENT',
    METRICS_DISABLED: 'true',
  };
});

afterAll(async () => {
  await services.stop();
  await recorder.stop();
  await stopTable();
});

/** Runs a sample; the requests it makes to the table must be among the rights that the stacks give the function. */
const run = async (name: string, file: string): Promise<unknown> => {
  const handler = deployedHandler(cloud, name, environment);
  const reply = await handler(eventOf(file), { functionName: name, awsRequestId: 'sample' });
  const given = policiesOf(name).flatMap(tableStatementsOf);
  expect(recorder.taken().flatMap(({ operation, input }) => missingOf(given, operation, input))).toEqual([]);
  return reply;
};

const policiesOf = (name: string): Policy[] => {
  const role = cloud
    .all<{ FunctionName: string; Role: unknown }>('AWS::Lambda::Function')
    .find(({ properties }) => properties.FunctionName === `nightlatch-dev-${name}`)?.properties.Role;
  return cloud
    .all<Policy>('AWS::IAM::Policy')
    .filter(({ properties }) => target(properties.Roles[0]) === target(role))
    .map(({ properties }) => properties);
};

describe('sample events', () => {
  it.each(names)('there is one for %s', (name) => {
    expect(samplesOf(name)).not.toEqual([]);
  });

  it('each is made by npm run generate', () => {
    expect(samples.toSorted()).toEqual(Object.keys(sampleEvents()).toSorted());
  });

  it('there is none for a function that is not there', () => {
    expect(samples.filter((file) => !names.includes(file.split('.')[0] ?? ''))).toEqual([]);
  });

  it.each([...groups.keys()].flatMap((group) => samplesOf(group).map((file) => [file, group])))(
    '%s is answered as its row says',
    async (file, group) => {
      const { httpMethod, resource } = eventOf(file) as APIGatewayProxyEvent;
      const row = groups.get(group)?.find(({ method, path }) => method === httpMethod && path === resource);
      expect(row).toBeDefined();
      const reply = (await run(group, file)) as APIGatewayProxyResult;
      expect(reply, reply.body).toMatchObject({ statusCode: row?.status });
      if (group === 'payments') expect(JSON.parse(reply.body)).toMatchObject({ RspCode: '00' });
    },
  );

  it.each(samplesOf('authorizer'))('%s lets the caller in', async (file) => {
    expect(await run('authorizer', file)).toMatchObject({
      policyDocument: { Statement: [{ Effect: 'Allow' }] },
    });
  });

  it.each(workers.flatMap((worker) => samplesOf(worker).map((file) => [file, worker])))(
    '%s is handled',
    async (file, worker) => {
      requests.length = 0;
      expect(await run(worker, file)).toEqual({ batchItemFailures: [] });
      if (worker === 'publisher')
        expect(requests.map(({ target }) => target)).toEqual(['AWSEvents.PutEvents']);
      if (worker === 'webhook')
        expect(requests.map(({ target }) => target)).toEqual(['AmazonSQS.SendMessageBatch']);
      if (worker === 'notification')
        expect(requests.map(({ target }) => target)).toContain('/v2/email/outbound-emails');
    },
  );

  it.each(schedules.flatMap((schedule) => samplesOf(schedule).map((file) => [file, schedule])))(
    '%s is run',
    async (file, schedule) => {
      requests.length = 0;
      const outcome = outcomes[schedule];
      if (schedule === 'canary') vi.stubGlobal('fetch', apiOfCanary(sampleWorld.order_id));
      expect(outcome, `what does ${schedule} do?`).toBeDefined();
      expect(await run(schedule, file)).toEqual(outcome?.answer);
      expect(requests.map(({ target }) => target)).toEqual(outcome?.requests);
      vi.unstubAllGlobals();
    },
  );
});
