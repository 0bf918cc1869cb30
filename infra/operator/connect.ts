import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { dependenciesFrom } from '../../shared/platform/environment.ts';
import { invalid, ServiceError } from '../../shared/platform/errors.ts';
import type { IdentityProvider } from '../../shared/platform/identity/index.ts';
import { awsConfig } from '../local/aws-config.ts';
import type { Workplace } from './command.ts';
import { deadLetterQueues, type DeadLetters } from './dead-letters.ts';
import { outboxOf } from './outbox.ts';

/** What the running local service tells about itself (D69). */
const Ready = z.object({
  auth_url: z.string(),
  client: z.object({ client_id: z.string(), client_secret: z.string(), audience: z.string() }),
  table: z.object({ endpoint: z.string(), name: z.string() }),
  queues: z.object({ endpoint: z.string() }),
  bus: z.object({ endpoint: z.string(), name: z.string() }),
  clock: z.object({ offset_ms: z.number() }),
});

type Variables = Record<string, string | undefined>;

/** The service running here, or the deployed stage that is named (D72). */
export const connect = (stage: string | undefined, env: Variables = process.env): Workplace =>
  stage === undefined ? connectLocal(env) : connectStage(stage, env);

const connectLocal = (env: Variables): Workplace => {
  const file = join(env['LOCAL_DIR'] ?? '.local', 'ready.json');
  const { auth_url, client, table, queues, bus, clock } = readReady(file);
  // As the local service has them; the SDK reads them where it likes.
  const local = {
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    AWS_REGION: env['AWS_REGION'] ?? 'ap-southeast-1',
    AWS_ACCESS_KEY_ID: env['AWS_ACCESS_KEY_ID'] ?? 'local',
    AWS_SECRET_ACCESS_KEY: env['AWS_SECRET_ACCESS_KEY'] ?? 'local',
    // The time of the service: its test clock may have been moved.
    CLOCK_OFFSET_MS: String(clock.offset_ms),
  };
  Object.assign(process.env, local);
  // A profile of this machine would go before them.
  Reflect.deleteProperty(process.env, 'AWS_PROFILE');
  const variables = {
    TABLE_NAME: table.name,
    STAGE: 'local',
    ISSUER: auth_url.endsWith('/') ? auth_url : `${auth_url}/`,
    AUDIENCE: client.audience,
    IDP_CLIENT_ID: client.client_id,
    IDP_CLIENT_SECRET: client.client_secret,
  };
  return {
    deps: dependenciesFrom(variables),
    stage: 'local',
    deadLetters: localDeadLetters(queues.endpoint),
    outbox: outboxOf({
      tableName: table.name,
      busName: bus.name,
      bus: new EventBridgeClient(awsConfig(bus.endpoint)),
      progress,
    }),
    whereabouts: () => Promise.resolve(`the local service of ${file}; start it with npm start`),
  };
};

/** The dead-letter queues of a service that runs here. */
export const localDeadLetters = (endpoint: string): DeadLetters =>
  deadLetterQueues({
    client: new SQSClient({ ...awsConfig(endpoint), useQueueUrlAsEndpoint: false }),
    nameOf: (queue) => queue,
    moves: 'one-by-one',
  });

const connectStage = (stage: string, env: Variables): Workplace => {
  if (!/^[a-z0-9-]{1,32}$/.test(stage) || stage === 'local')
    throw invalid({ path: 'stage', message: '--stage is the name of a deployed stage.' });
  const TABLE_NAME = env['TABLE_NAME'] ?? `nightlatch-${stage}`;
  const deps = dependenciesFrom({ ...env, TABLE_NAME, STAGE: stage });
  const client = new SQSClient({});
  return {
    deps: env['ISSUER'] === undefined ? { ...deps, identity: unreachableProvider } : deps,
    stage,
    deadLetters: deadLetterQueues({
      client,
      nameOf: (queue) => `nightlatch-${stage}-${queue}`,
      moves: 'by-task',
    }),
    outbox: outboxOf({ tableName: TABLE_NAME, busName: `nightlatch-${stage}`, progress }),
    whereabouts: async () => `table ${TABLE_NAME} in ${await placeOf(client)}`,
  };
};

/** A line that is written over while the work goes on, where a person looks on. */
const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(70)}\r`);
};

/** Region and account, as far as the settings of this machine name them. */
const placeOf = async ({ config }: SQSClient): Promise<string> => {
  const region = await config.region().catch(() => 'an unknown region');
  const { accountId } = await config.credentials().catch(() => ({ accountId: undefined }));
  return accountId === undefined ? region : `${region}, account ${accountId}`;
};

/** Without the provider's variables only what the table knows counts: an unknown person is invited by e-mail. */
const unreachableProvider = (): IdentityProvider => {
  const refuse = () => Promise.reject(new ServiceError('IDENTITY_PROVIDER_UNAVAILABLE'));
  const unknown = () => Promise.resolve(undefined);
  return {
    readUser: unknown,
    findUserByEmail: unknown,
    signUp: refuse,
    passwordLogin: refuse,
    sendVerificationEmail: refuse,
    sendPasswordReset: refuse,
  };
};

const readReady = (path: string): z.output<typeof Ready> => {
  try {
    return Ready.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    const message = `No local service is running (${path}). Start it with npm start, or name a deployed one with --stage.`;
    throw new ServiceError('SERVICE_UNAVAILABLE', message, {}, { cause });
  }
};
