import { resolve } from 'node:path';

/** What `npm start` reads from its environment (D69). */
export interface LocalSettings {
  /** Of the API; 0 takes any free port. */
  port: number;
  /** Of the identity provider; 0 takes any free port. */
  authPort: number;
  /** Absent: nothing is kept. */
  dataDir: string | undefined;
  /** Bundles and `ready.json`. */
  localDir: string;
}

export const localSettings = (env: Record<string, string | undefined> = process.env): LocalSettings => {
  const port = portOf('PORT', env['PORT'], 4000);
  const authPort = portOf('AUTH_PORT', env['AUTH_PORT'], 4001);
  if (port !== 0 && port === authPort)
    throw new Error(`PORT and AUTH_PORT are both ${port}. Set one of them to another port, or to 0.`);
  return {
    port,
    authPort,
    dataDir: env['DATA_DIR'] ? resolve(env['DATA_DIR']) : undefined,
    localDir: resolve(env['LOCAL_DIR'] ?? '.local'),
  };
};

const portOf = (name: string, text: string | undefined, usual: number): number => {
  if (text === undefined || text === '') return usual;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${name} is no port: ${text}`);
  return port;
};

/** The service's own client at the embedded identity provider; nothing but this machine reaches it. */
export const localClient = {
  client_id: 'nightlatch-local',
  client_secret: 'nightlatch-local-secret',
  audience: 'https://api.nightlatch.local',
};

export const localNames = {
  table: 'nightlatch-local',
  bus: 'nightlatch-local',
  sender: 'hello@nightlatch.example',
};
