import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleFunctions, functionSources, projectRoot } from '../../infra/bundling.ts';
import { startJsonServer } from '../../infra/local/json-server.ts';
import type { Log } from '../../infra/local/log.ts';
import { withProgress } from '../../infra/local/progress.ts';
import { startTable } from '../../infra/local/table/index.ts';
import { sampleWorld } from '../../infra/samples/sample-world.ts';
import { queueUrlVariable, workQueues } from '../../shared/schedules.ts';
import { sampleEnvironment } from '../infra/samples/environment.ts';
import { localAwsEnvironment } from '../support/aws-env.ts';
import { startProcess } from './processes.ts';
import { functionVariables } from './settings.ts';
import { median } from './statistics.ts';
import type { WorldCalls } from './world-process.ts';

/** The row of a bundle that holds nothing but the SDK's client of the table. */
export const sdkAlone = "only the SDK's client";

/** CPU milliseconds of a bundle above those of an empty process, and its size. */
export interface StartUp {
  name: string;
  kilobytes: number;
  importMs: number;
  /** The first request after that. */
  firstMs: number;
}

interface StartUpOptions {
  folder: string;
  functions: string;
  runs: number;
  log: Log;
}

const run = promisify(execFile);

/** Measures size and start of each bundle with its first sample event, in new processes. */
export const measureStartUp = async ({
  folder,
  functions,
  runs,
  log,
}: StartUpOptions): Promise<StartUp[]> => {
  await using stack = new AsyncDisposableStack();
  const env = await sampleStage(folder, stack, log);
  const samples = readdirSync(join(projectRoot, 'events')).sort();
  // The canary asks the API from outside, which is not here.
  const measured = functionSources().filter(({ name }) => name !== 'schedules/canary');
  const bundles = measured.map(({ name }) => ({
    ...{ name, path: join(functions, name, 'index.js') },
    event: sampleFor(name.split('/').at(-1) ?? '', samples),
  }));
  await bundleFunctions([{ name: 'sdk', entry: 'test/bench/floor/sdk-client.ts' }], folder);
  bundles.push({
    ...{ name: sdkAlone, path: join(folder, 'sdk', 'index.js') },
    event: bundles[0]?.event ?? '',
  });
  const taken = new Map<string, Taken[]>();
  let done = 0;
  const line = (seconds: number): string => `${done} of ${runs * (bundles.length + 1)} starts, ${seconds} s`;
  // Interleaved, so that load on the machine affects all alike.
  await withProgress({ log, line }, async () => {
    for (let at = 0; at < runs; at++)
      for (const bundle of [{ name: '', path: '', event: '' }, ...bundles]) {
        taken.set(bundle.name, [...(taken.get(bundle.name) ?? []), await startOf(bundle, env)]);
        done++;
      }
  });
  const middle = (name: string, of: (one: Taken) => number) => median((taken.get(name) ?? []).map(of));
  const bare = middle('', ({ importMs }) => importMs);
  return bundles.map(({ name, path }) => ({
    name,
    kilobytes: Math.round(statSync(path).size / 1000),
    importMs: middle(name, ({ importMs }) => importMs) - bare,
    firstMs: middle(name, ({ firstMs }) => firstMs),
  }));
};

interface Taken {
  importMs: number;
  firstMs: number;
}

/** Returns a sample that can be repeated: a preview, another that only reads, else the first. */
const sampleFor = (name: string, samples: readonly string[]): string => {
  const own = samples
    .filter((file) => file.startsWith(`${name}.`))
    .map((file) => join(projectRoot, 'events', file));
  const methodOf = (file: string) =>
    (JSON.parse(readFileSync(file, 'utf8')) as { httpMethod?: string }).httpMethod;
  return (
    own.find((file) => file.includes('.preview.')) ??
    own.find((file) => methodOf(file) === 'GET') ??
    own[0] ??
    ''
  );
};

/** The variables of functions over a table with the records of the samples. */
const sampleStage = async (
  folder: string,
  stack: AsyncDisposableStack,
  log: Log,
): Promise<Record<string, string>> => {
  const table = await startTable({ dataDir: join(folder, 'samples'), log });
  stack.defer(() => table.stop());
  const services = await startJsonServer(
    ({ headers, body }) => ({
      status: 200,
      body: headers['x-amz-target'] === 'secretsmanager.GetSecretValue' ? secretReply : sentReply(body),
    }),
    () => undefined,
  );
  stack.defer(() => services.stop());
  const world = startProcess<WorldCalls>('world-process.ts');
  stack.defer(() => world.stop());
  const tableName = await world.call('fill', localAwsEnvironment(table.endpoint));
  return {
    ...functionVariables(table.endpoint, tableName),
    ...sampleEnvironment(services.endpoint),
    STAGE: sampleWorld.stage,
    PAYMENT_GATEWAY: 'vnpay',
    PAYMENT_SECRET_ARN: 'arn:aws:secretsmanager:ap-southeast-1:123456789012:secret:payment-abcdef',
    PAYMENT_RETURN_URL: 'https://example.com/paid',
    VNPAY_TMN_CODE: sampleWorld.vnpay.tmn_code,
    VNPAY_PAY_URL: 'https://pay.example.com',
    VNPAY_API_URL: 'https://api.example.com',
    EVENT_BUS_NAME: 'nightlatch-dev',
    MAIL_SENDER: 'stay@example.com',
    ...Object.fromEntries(
      workQueues.map(({ consumer }) => [queueUrlVariable(consumer), `${services.endpoint}/1/${consumer}`]),
    ),
  };
};

/** What Secrets Manager answers. */
const secretReply = {
  SecretString: JSON.stringify({ client_secret: 'x', vnpay_hash_secret: sampleWorld.vnpay.secret }),
};

/** What EventBridge, SES and SQS answer. */
const sentReply = (body: unknown): object => {
  const entries = (body as { Entries?: unknown[] } | undefined)?.Entries ?? [];
  return { FailedEntryCount: 0, Entries: entries.map(() => ({ EventId: 'sent' })), MessageId: 'sent' };
};

const script = `
  const [path, event] = process.argv.slice(1);
  const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
  const handler = path && require(path).handler;
  const importMs = cpu();
  const context = { functionName: 'bench', awsRequestId: 'bench', getRemainingTimeInMillis: () => 29000 };
  Promise.resolve(handler && handler(JSON.parse(require('node:fs').readFileSync(event, 'utf8')), context))
    .then((answer) => {
      if (answer && answer.statusCode >= 300) throw new Error(answer.body);
      process.stderr.write(JSON.stringify({ importMs, firstMs: cpu() - importMs }));
    })
    .catch((error) => process.stderr.write(JSON.stringify({ error: String(error.stack) })))
    .finally(() => process.exit());
`;

const startOf = async (
  { path, event }: { path: string; event: string },
  env: Record<string, string>,
): Promise<Taken> => {
  const { stderr } = await run(process.execPath, ['-e', script, path, event], {
    env: { ...process.env, ...env },
  });
  const taken = JSON.parse(stderr.slice(stderr.lastIndexOf('{"'))) as Taken & { error?: string };
  if (taken.error !== undefined) throw new Error(`${event}: ${taken.error}`);
  return taken;
};
