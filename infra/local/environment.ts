import { readSettings } from '../../shared/platform/settings.ts';
import { queueUrlVariable, workQueues } from '../../shared/schedules.ts';
import { awsConfig } from './aws-config.ts';
import type { RunningIdentityProvider } from './identity/index.ts';
import { sandboxSecret } from './payments/index.ts';
import { localAudience, localClients, localHostClientIds, localNames, readLocalEnv } from './settings.ts';

/** The file of the functions' variables while the service runs, beside `ready.json`. */
export const environmentName = 'environment.json';

interface Endpoints {
  table: string;
  bus: string;
  mail: string;
  queues: string;
  payments: string;
  /** Returns the URL of a queue. */
  queueUrl: (name: string) => string;
  identity: RunningIdentityProvider;
  dataKey: string;
}

/** Switches that are off by default, and on here unless they are set. */
const switchedOn = () => {
  const on = { SANDBOX_SCENARIOS: 'on', TEAM_SIGN_UP: 'on' };
  const { SANDBOX_SCENARIOS, TEAM_SIGN_UP } = readSettings({ ...on, ...process.env });
  return { SANDBOX_SCENARIOS, TEAM_SIGN_UP };
};

/** Returns the variables of every function in the local service: the same names as in the cloud. */
export const functionEnvironment = ({
  table,
  bus,
  mail,
  queues,
  payments,
  queueUrl,
  identity,
  dataKey,
}: Endpoints): Record<string, string> => ({
  TABLE_NAME: localNames.table,
  STAGE: 'local',
  ISSUER: identity.issuer,
  AUDIENCE: localAudience,
  JWKS_URI: identity.jwksUri,
  HOST_CLIENT_IDS: localHostClientIds.join(),
  HOST_MFA: readLocalEnv().HOST_MFA,
  PAGES_CLIENT_ID: localClients.pages.client_id,
  GUEST_CLIENT_ID: localClients.guests.client_id,
  IDP_CLIENT_ID: localClients.service.client_id,
  IDP_CLIENT_SECRET: localClients.service.client_secret,
  IDP_CONNECTION: identity.connection,
  IDP_MANAGEMENT_AUDIENCE: identity.managementAudience,
  DATA_KEY: dataKey,
  EVENT_BUS_NAME: localNames.bus,
  MAIL_SENDER: localNames.sender,
  ...switchedOn(),
  PAYMENT_GATEWAY: 'sandbox',
  PAYMENT_SANDBOX_URL: payments,
  PAYMENT_SANDBOX_SECRET: sandboxSecret,
  AWS_ENDPOINT_URL_DYNAMODB: table,
  AWS_ENDPOINT_URL_EVENTBRIDGE: bus,
  AWS_ENDPOINT_URL_SESV2: mail,
  AWS_ENDPOINT_URL_SQS: queues,
  ...Object.fromEntries(workQueues.map(({ consumer }) => [queueUrlVariable(consumer), queueUrl(consumer)])),
  AWS_REGION: awsConfig('').region,
  AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'] ?? 'local',
  AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'] ?? 'local',
  LOG_LEVEL: readLocalEnv().LOG_LEVEL,
  METRICS_DISABLED: 'true',
});
