import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type * as z from 'zod';
import { type AwsService, endpointOf } from '../../shared/platform/aws/endpoint.ts';
import { kms } from '../../shared/platform/data-key/kms-hash.ts';
import { dynamodb } from '../../shared/platform/dynamodb/index.ts';
import { dependenciesFrom } from '../../shared/platform/environment/environment.ts';
import { identityFrom } from '../../shared/platform/environment/identity-environment.ts';
import { invalid, ServiceError } from '../../shared/platform/errors.ts';
import { sealingFrom } from '../../shared/platform/environment/sealing-environment.ts';
import type { IdentityProvider } from '../../shared/platform/identity/index.ts';
import { dataKeyAlias } from '../cloud/data-key-alias.ts';
import { awsConfig } from '../local/aws-config.ts';
import { Ready } from '../local/ready.ts';
import { readEnvironment } from '../local/sam-environment.ts';
import { sandboxSecret } from '../local/payments/secret.ts';
import type { CommandContext, Recovery } from './command.ts';
import { deadLetterQueues, type DeadLetters } from './dead-letters.ts';
import { createOutbox } from './outbox.ts';
import type { GatewayLedger } from './restore/gateway-ledger.ts';
import { awsAccount } from './stage/aws-account.ts';
import { tableOfStage } from './stage-table.ts';
import { processStreams, progressOn } from './standard-streams.ts';
import { createStoredItems } from './stored-items.ts';

type Variables = Record<string, string | undefined>;

/** Returns the context of the local service, or of a deployed stage (D72). */
export const connect = (stage: string | undefined, env: Variables = process.env): CommandContext =>
  stage === undefined ? connectLocal(env) : connectStage(stage, env);

const connectLocal = (env: Variables): CommandContext => {
  const file = join(env['LOCAL_DIR'] ?? '.local', 'ready.json');
  const { api_url, auth_url, client, table, queues, bus, payments, clock } = readReady(file);
  // The clients read these from the environment.
  const local = {
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    AWS_REGION: env['AWS_REGION'] ?? 'ap-southeast-1',
    AWS_ACCESS_KEY_ID: env['AWS_ACCESS_KEY_ID'] ?? 'local',
    AWS_SECRET_ACCESS_KEY: env['AWS_SECRET_ACCESS_KEY'] ?? 'local',
    // The offset of the test clock.
    CLOCK_OFFSET_MS: String(clock.offset_ms),
  };
  Object.assign(process.env, local);
  // AWS_PROFILE would take precedence.
  Reflect.deleteProperty(process.env, 'AWS_PROFILE');
  const variables = {
    TABLE_NAME: table.name,
    STAGE: 'local',
    ISSUER: auth_url.endsWith('/') ? auth_url : `${auth_url}/`,
    AUDIENCE: client.audience,
    IDP_CLIENT_ID: client.client_id,
    IDP_CLIENT_SECRET: client.client_secret,
  };
  const items = createStoredItems(table.name);
  return {
    deps: {
      ...dependenciesFrom(variables),
      identity: identityFrom(variables),
      sealing: sealingFrom(() => readEnvironment(dirname(file))),
    },
    stage: 'local',
    apiUrl: () => api_url,
    items,
    deadLetters: localDeadLetters(queues.endpoint),
    outbox: createOutbox({
      items,
      busName: bus.name,
      bus: new EventBridgeClient(awsConfig(bus.endpoint)),
      progress,
    }),
    recovery: recoveryOf({ tableName: table.name, generation: undefined }, () =>
      ledgerOf({
        STAGE: 'local',
        PAYMENT_GATEWAY: 'sandbox',
        PAYMENT_SANDBOX_URL: payments.endpoint,
        PAYMENT_SANDBOX_SECRET: sandboxSecret,
      }),
    ),
    operator: () => Promise.resolve(operatorName(env)),
    target: () => Promise.resolve(`the local service of ${file}; start it with npm start`),
  };
};

/** Returns the dead-letter queues of the local service. */
export const localDeadLetters = (endpoint: string): DeadLetters =>
  deadLetterQueues({
    client: new SQSClient({ ...awsConfig(endpoint), useQueueUrlAsEndpoint: false }),
    nameOf: (queue) => queue,
    moves: 'one-by-one',
  });

const connectStage = (stage: string, env: Variables): CommandContext => {
  if (!/^[a-z0-9-]{1,32}$/.test(stage) || stage === 'local')
    throw invalid({ path: 'stage', message: '--stage is the name of a deployed stage.' });
  const { tableName, generation, dataKeys } = tableOfStage(stage);
  const TABLE_NAME = env['TABLE_NAME'] ?? tableName;
  const client = new SQSClient({});
  // Profiles and single sign-on are known to the SDK alone.
  const endpointFor = (service: AwsService, region?: string) => async () =>
    endpointOf(service, { ...process.env, AWS_REGION: region ?? (await client.config.region()) });
  const connection = {
    endpoint: endpointFor(dynamodb),
    credentials: () => client.config.credentials(),
  };
  const variables = { ...env, TABLE_NAME, STAGE: stage };
  const aliases = Array.from({ length: dataKeys }, (_, at) => dataKeyAlias(stage, at + 1));
  const dataKeyVariables = { STAGE: stage, DATA_KEY_IDS: aliases.join(',') };
  const identity = env['ISSUER'] === undefined ? unreachableProvider : identityFrom(variables);
  const items = createStoredItems(TABLE_NAME);
  return {
    deps: {
      ...dependenciesFrom(variables, connection),
      identity,
      sealing: sealingFrom(() => dataKeyVariables, { ...connection, endpoint: endpointFor(kms) }),
    },
    stage,
    apiUrl: () => addressOf(env),
    items,
    deadLetters: deadLetterQueues({
      client,
      nameOf: (queue) => `nightlatch-${stage}-${queue}`,
      moves: 'by-task',
    }),
    outbox: createOutbox({ items, busName: `nightlatch-${stage}`, progress }),
    recovery: recoveryOf({ tableName: TABLE_NAME, generation }, async () => {
      await exportCredentials(client);
      const { readStage, stageFrom } = await import('../cloud/stage.ts');
      const { paymentVariables } = await import('../cloud/environment.ts');
      return ledgerOf({ STAGE: stage, ...paymentVariables(stageFrom(stage, readStage(stage).file)) });
    }),
    account: awsAccount((service, region) => ({ ...connection, endpoint: endpointFor(service, region) })),
    operator: async () => {
      const { accessKeyId } = await client.config.credentials();
      return `${operatorName(env)}, access key ${accessKeyId}`;
    },
    target: async () => `table ${TABLE_NAME} in ${await regionAndAccount(client)}`,
  };
};

const addressOf = ({ API_URL }: Variables): string => {
  if (API_URL === undefined || !URL.canParse(API_URL))
    throw invalid({
      path: 'API_URL',
      message: 'Set API_URL to the address of the API of the stage: the link of the invitation leads to it.',
    });
  return API_URL.replace(/\/$/, '');
};

/** The access key leads to the person or role in IAM and CloudTrail; the name is what the machine or `OPERATOR` says. */
const operatorName = (env: Variables): string => (env['OPERATOR'] ?? userInfo().username).slice(0, 100);

const progress = progressOn(processStreams);

const lookAgainMs = 10_000;

const recoveryOf = (
  table: Pick<Recovery, 'tableName' | 'generation'>,
  ledger: Recovery['ledger'],
): Recovery => ({
  ...table,
  ledger,
  itemsOf: createStoredItems,
  control: { client: new DynamoDBClient({ maxAttempts: 10 }), wait: () => pause(lookAgainMs), progress },
});

/** Loads the gateways' libraries when they are needed. */
const ledgerOf = async (variables: Variables): Promise<GatewayLedger> => {
  const { ledgerFrom } = await import('./restore/gateway-ledger.ts');
  return ledgerFrom(variables);
};

/** Secrets are read with the credentials of the environment; those of a profile are known to the SDK alone. */
const exportCredentials = async ({ config }: SQSClient): Promise<void> => {
  const { accessKeyId, secretAccessKey, sessionToken } = await config.credentials();
  Object.assign(process.env, {
    AWS_REGION: await config.region(),
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    ...(sessionToken === undefined ? {} : { AWS_SESSION_TOKEN: sessionToken }),
  });
};

/** Returns region and account, as far as they are configured. */
const regionAndAccount = async ({ config }: SQSClient): Promise<string> => {
  const region = await config.region().catch(() => 'an unknown region');
  const { accountId } = await config.credentials().catch(() => ({ accountId: undefined }));
  return accountId === undefined ? region : `${region}, account ${accountId}`;
};

/** Without the provider's variables users are looked up in the table only. */
const unreachableProvider = (): IdentityProvider => {
  const refuse = () => Promise.reject(new ServiceError('IDENTITY_PROVIDER_UNAVAILABLE'));
  const unknown = () => Promise.resolve(undefined);
  return {
    readUser: unknown,
    findUserByEmail: unknown,
    signUp: refuse,
    passwordLogin: refuse,
    sendVerificationEmail: refuse,
    deleteUser: () =>
      Promise.reject(
        new ServiceError(
          'IDENTITY_PROVIDER_UNAVAILABLE',
          'The account at the identity provider cannot be deleted without ISSUER, AUDIENCE, IDP_CLIENT_ID and IDP_CLIENT_SECRET: set them, or delete it by hand and give --account-gone.',
        ),
      ),
    sendPasswordReset: refuse,
  };
};

/** The part of `ready.json` that the tool uses (D69). */
const UsedReady = Ready.omit({ home_url: true, demo: true });

const readReady = (path: string): z.output<typeof UsedReady> => {
  try {
    return UsedReady.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    const message = `No local service is running (${path}). Start it with npm start, or select a deployed stage with --stage.`;
    throw new ServiceError('SERVICE_UNAVAILABLE', message, {}, { cause });
  }
};
