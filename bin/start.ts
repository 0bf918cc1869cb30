import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reason } from '../infra/local/log.ts';
import type { LocalService } from '../infra/local/start.ts';

const usage = `npm start -- [options]

  --quiet   one line with the addresses once it is up, without progress and credentials
  --help    this text`;

const options = () => {
  try {
    return parseArgs({ options: { quiet: { type: 'boolean' }, help: { type: 'boolean' } } }).values;
  } catch (error) {
    console.error(`${reason(error)}\n\n${usage}`);
    process.exit(2);
  }
};
const { quiet = false, help = false } = options();
if (help) {
  console.log(usage);
  process.exit();
}

const log = (line: string): void => console.error(line);
const startedAt = performance.now();

// An unhandled rejection in one function must not stop the others, as in the cloud.
process.on('unhandledRejection', (error) => log(`unhandled: ${reason(error)}`));

let stopping = false;
const stop = async (service: Promise<LocalService | undefined>, status: number): Promise<void> => {
  if (stopping) process.exit(status);
  stopping = true;
  await (await service)?.stop();
  process.exit(status);
};

let isUp = false;
const progress = (line: string): void => {
  if (isUp || !quiet) log(line);
};
/** Compiled code is kept beside the bundles, so that the next start takes less time: it is on before anything is loaded. */
const start = async (): Promise<LocalService> => {
  enableCompileCache(join(process.env['LOCAL_DIR'] || '.local', 'compiled'));
  const [{ startLocalService }, { localSettings }] = await Promise.all([
    import('../infra/local/start.ts'),
    import('../infra/local/settings.ts'),
  ]);
  return startLocalService(localSettings(), progress);
};
const starting = start().catch((error: unknown) => {
  log(`Nightlatch did not start: ${reason(error)}`);
  process.exitCode = 1;
  return undefined;
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stop(starting, 0));

const service = await starting;
if (!service) process.exit(1);
isUp = true;
const { ready, curlLines } = service;
const { demo, client } = ready;
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
if (quiet)
  console.log(`Nightlatch is up after ${seconds} s: API ${ready.api_url}, home page ${ready.home_url}`);
else
  console.log(`
Nightlatch is up after ${seconds} s.

  API                ${ready.api_url}      docs: ${ready.api_url}/docs
  Identity provider  ${ready.auth_url}
  Home page          ${ready.home_url}
  Board              ${ready.api_url}/board/   sign in as the host
  Page for guests    ${ready.api_url}/stay/?key=${demo.publishable_key ?? ''}

  Host               ${demo.host.email} / ${demo.host.password}
  Guest              ${demo.guest.email} / ${demo.guest.password}
  Client             ${client.client_id} / ${client.client_secret} for ${client.audience}
  X-API-Key          ${demo.api_key}     X-Team-ID: ${demo.team_id}

Three lines to a confirmed booking:

${curlLines.join('\n\n')}

Ctrl-C ends it.
`);
