import { resolve } from 'node:path';
import * as z from 'zod';
import { readEnv } from '../../shared/platform/environment/env.ts';
import { allowedOrigins } from '../../shared/platform/http/cors.ts';
import { logLevels } from '../../shared/platform/metrics/log.ts';
import { readSettings } from '../../shared/platform/settings.ts';

const blankIsAbsent = (value: unknown): unknown => (value === '' ? undefined : value);

const portText = 'must be a port, 0 to 65535';
const port = (byDefault: number, description: string) =>
  z
    .preprocess(
      blankIsAbsent,
      z.coerce.number(portText).int(portText).min(0, portText).max(65_535, portText).default(byDefault),
    )
    .meta({ description, values: '0 to 65535', byDefault: String(byDefault) });

/** How much demo data there is. */
const DemoSize = z.enum(['full', 'small']);
export type DemoSize = z.infer<typeof DemoSize>;

const text = (description: string, values: string) =>
  z.preprocess(blankIsAbsent, z.string().optional()).meta({ description, values, byDefault: '' });

/** The variables of the local programs besides the settings of the service (D69). */
export const LocalEnv = z.object({
  PORT: port(4000, 'the API; 0 takes any free port'),
  AUTH_PORT: port(4001, 'the identity provider; 0 takes any free port'),
  DATA_DIR: text(
    'absent: nothing is kept; set: table, queues and accounts outlive restarts and kill -9',
    'a folder',
  ),
  LOCAL_DIR: text('`ready.json` and the bundles; `.local` when absent', 'a folder'),
  DEMO: z.preprocess(blankIsAbsent, DemoSize.default('full')).meta({
    description:
      'the demo data: `small` has the teams, their homes and the records that the documentation’s examples name; `full` adds pictures, house rules, stays of four months, reviews and messages',
    values: '`full` or `small`',
    byDefault: 'full',
  }),
  AWS_ENDPOINT_URL_DYNAMODB: text(
    'another DynamoDB endpoint than the emulator of its own, for the service and the tests',
    'an address',
  ),
  CORS_ORIGINS: text(
    'more origins of browser apps; every origin of this machine (`localhost`, `127.0.0.1`, `[::1]`, any port) is allowed',
    'origins, separated by commas',
  ),
  LOCAL_HOSTS: z
    .preprocess(blankIsAbsent, z.string().default(''))
    .transform((list) =>
      list
        .toLowerCase()
        .split(',')
        .filter((host) => host !== ''),
    )
    .meta({
      description:
        'further host names by which the service and the identity provider may be called, such as `host.docker.internal`',
      values: 'names, separated by commas',
      byDefault: '',
    }),
  LOG_LEVEL: z.preprocess(blankIsAbsent, z.enum(logLevels).default('WARN')).meta({
    description: 'the least level of the lines of the log that functions write; of a stage `logs.level`',
    values: logLevels.map((level) => `\`${level}\``).join(', '),
    byDefault: 'WARN',
  }),
  HOST_MFA: z.preprocess(blankIsAbsent, z.enum(['off', 'required']).default('off')).meta({
    description:
      'whether hosts sign in with a code of an authenticator app; of a stage `identity.host_mfa`. `required`: the printed application asks for it too, and its password grant answers `mfa_required`, as Auth0’s does',
    values: '`off` or `required`',
    byDefault: 'off',
  }),
  DYNOXIDE_PATH: text('another binary of the emulator than its npm package', 'a file'),
});

type LocalVariables = z.infer<typeof LocalEnv>;

/** Returns the variables of the local programs. Throws an error that names every invalid one. */
export const readLocalEnv = (environment?: Record<string, string | undefined>): LocalVariables =>
  readEnv(LocalEnv, environment);

/** The settings of `npm start` (D69). */
export interface LocalSettings {
  /** The port of the API; 0 selects a free one. */
  port: number;
  /** The port of the identity provider; 0 selects a free one. */
  authPort: number;
  /** Without it, data is temporary. */
  dataDir: string | undefined;
  /** The folder of bundles and `ready.json`. */
  localDir: string;
  demo: DemoSize;
  hostMfa: 'off' | 'required';
}

/** Returns the settings. Throws for invalid ones, including those of the service, before anything starts. */
export const localSettings = (env: Record<string, string | undefined> = process.env): LocalSettings => {
  const { PORT, AUTH_PORT, DATA_DIR, LOCAL_DIR = '.local', DEMO, HOST_MFA } = readLocalEnv(env);
  readSettings(env);
  allowedOrigins(env);
  if (PORT !== 0 && PORT === AUTH_PORT)
    throw new Error(`PORT and AUTH_PORT are both ${PORT}. Set one of them to another port, or to 0.`);
  return {
    port: PORT,
    authPort: AUTH_PORT,
    dataDir: DATA_DIR === undefined ? undefined : resolve(DATA_DIR),
    localDir: resolve(LOCAL_DIR),
    demo: DEMO,
    hostMfa: HOST_MFA,
  };
};

/** The audience of access tokens on a laptop. */
export const localAudience = 'https://api.nightlatch.local';

/** Applications at the embedded identity provider, which only this machine can reach (D106). */
export const localClients = {
  /** Of hosts and guests who try the service; printed at the start. */
  demo: { client_id: 'nightlatch-local', client_secret: 'nightlatch-local-secret' },
  /** The service's own, with which partners log customers in. */
  service: { client_id: 'nightlatch-service', client_secret: 'nightlatch-service-secret' },
  /** Public, of the service's own pages: code with PKCE alone. */
  pages: { client_id: 'nightlatch-pages' },
  /** Public, of guests on pages of teams (D144): none of the applications for hosts. */
  guests: { client_id: 'nightlatch-guests' },
};

/** The client ids of the applications for hosts. */
export const localHostClientIds = [localClients.demo.client_id, localClients.pages.client_id];

export const localNames = {
  table: 'nightlatch-local',
  bus: 'nightlatch-local',
  sender: 'hello@nightlatch.example',
};
