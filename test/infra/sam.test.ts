import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functionSources, projectRoot } from '../../infra/bundling.ts';
import { declaredForSam } from '../../infra/cloud/environment.ts';
import { samEnvironment } from '../../infra/local/sam-environment.ts';
import { type StartedService, startService } from '../support/local-service.ts';
import { stageWith } from './cloud/stages.ts';
import { synthesize } from './cloud/synthesized.ts';

interface FunctionProperties {
  FunctionName: string;
  Code: { S3Key: string };
  Environment: { Variables: Record<string, unknown> };
}
/** Their samples are of a booking that this service does not have: the message is received again. */
const ofUnknownBookings = ['chat', 'ical', 'list-index', 'notification'];

interface Sample {
  headers?: Record<string, string>;
}
interface Outcome {
  statusCode?: number;
  batchItemFailures?: unknown[];
}
type Handler = (event: unknown, context: unknown) => Promise<object>;

const events = join(projectRoot, 'events');
const samples = readdirSync(events).filter((file) => file.endsWith('.json'));
const cloud = synthesize(stageWith('local', { disposable: true }));
const functions = cloud.all<FunctionProperties>('AWS::Lambda::Function').map(({ properties }) => properties);

let localDir: string;
let service: StartedService;
let given: Record<string, string>;

beforeAll(async () => {
  localDir = mkdtempSync(join(tmpdir(), 'nightlatch-sam-'));
  service = await startService({ LOCAL_DIR: localDir });
  given = (JSON.parse(samEnvironment(localDir)) as { Parameters: Record<string, string> }).Parameters;
});

afterAll(async () => {
  await service.stop();
  rmSync(localDir, { recursive: true, force: true });
});

/** Loads a function with what SAM would give it: the variables that its template declares, and credentials. */
const invoke = async (name: string, event: unknown): Promise<object> => {
  const { Code, Environment } = functions.find(
    ({ FunctionName }) => FunctionName === `nightlatch-local-${name}`,
  )!;
  const variables = Object.entries(Environment.Variables).map(([variable, value]) => [
    variable,
    given[variable] ?? (typeof value === 'string' ? value : ''),
  ]);
  const asset = join(cloud.app.outdir, `asset.${Code.S3Key.replace('.zip', '')}`, 'index.js');
  const before = { ...process.env };
  process.env = {
    ...(Object.fromEntries(variables) as Record<string, string>),
    AWS_REGION: 'ap-southeast-1',
    AWS_ACCESS_KEY_ID: 'sam',
    AWS_SECRET_ACCESS_KEY: 'sam',
    LOG_LEVEL: 'SILENT',
  };
  try {
    const { handler } = createRequire(import.meta.url)(asset) as { handler: Handler };
    return await handler(event, {
      functionName: name,
      awsRequestId: 'sam',
      getRemainingTimeInMillis: () => 20_000,
    });
  } finally {
    process.env = before;
  }
};

describe('sam local invoke beside a running service', () => {
  it('is given the addresses of the service, under the name by which a container reaches it', () => {
    const { Parameters } = JSON.parse(samEnvironment(localDir, 'host.docker.internal')) as {
      Parameters: Record<string, string>;
    };
    expect(Parameters['AWS_ENDPOINT_URL_DYNAMODB']).toMatch(/^http:\/\/host\.docker\.internal:\d+/);
    expect(JSON.stringify(Parameters)).not.toContain('127.0.0.1');
  });

  it('can give each variable of the service, because the templates declare it', () => {
    // SAM itself sets these.
    const ofLambda = ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
    const declared = [...Object.keys(declaredForSam), 'TABLE_NAME', 'STAGE', ...ofLambda];
    expect(Object.keys(given).toSorted()).toEqual(declared.toSorted());
  });

  // The canary is deployed where a stage has one, and calls over HTTPS alone.
  const names = functionSources().map(({ name }) => name.slice(name.lastIndexOf('/') + 1));
  it.each(names.filter((name) => name !== 'canary'))('runs %s', async (name) => {
    const found = samples.filter((file) => file.startsWith(`${name}.`));
    expect(found).not.toEqual([]);
    for (const file of found) {
      const event = JSON.parse(readFileSync(join(events, file), 'utf8')) as Sample;
      // The key of the sample is that of no service.
      if (name === 'authorizer')
        event.headers = { ...event.headers, 'X-API-Key': service.ready.demo.api_key };
      if (name === 'stay')
        event.headers = { ...event.headers, 'X-API-Key': service.ready.demo.publishable_key ?? '' };
      const reply = await invoke(name, event);
      const { statusCode = 200, batchItemFailures = [] } = reply as Outcome;
      expect(batchItemFailures).toHaveLength(ofUnknownBookings.includes(name) ? 1 : 0);
      expect(statusCode, `${file}: ${JSON.stringify(reply)}`).toBeLessThan(500);
    }
  });
});
