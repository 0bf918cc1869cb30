import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { routeGroups } from '../../functions/routes.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { dependenciesFrom } from '../../shared/platform/environment.ts';
import { replaceFile } from './atomic-file.ts';
import { curlLines } from './curl-lines.ts';
import { seedDemo } from './demo/index.ts';
import { buildFunctions, type LambdaHandler, loadFunction } from './functions.ts';
import { type AuthorizerFunction, createGateway, type GroupFunction } from './gateway/index.ts';
import { type Interceptor, listen } from './gateway/listen.ts';
import { clockVariable, homePages, liveEvents, testClock } from './home/index.ts';
import { type Log, reason } from './log.ts';
import { type Plumbing, startPlumbing } from './plumbing.ts';
import { requireFreePorts } from './ports.ts';
import type { Ready } from './ready.ts';
import { localClient, localNames, type LocalSettings } from './settings.ts';
import { startWorkers } from './workers.ts';

export interface LocalService {
  ready: Ready;
  /** Three lines for a shell that end in a confirmed booking. */
  curlLines: string[];
  stop(): Promise<void>;
}

/** How long the local gateway remembers what the authorizer said: long enough for a burst, too short to be noticed. */
const authorizerTtlMs = 1000;

/** How many calls of one function are under way at once. */
const instancesOfAFunction = 16;

/** Starts the whole service in this process (D68–D71); only the table's emulator is a child. */
export const startLocalService = async (settings: LocalSettings, log: Log): Promise<LocalService> => {
  await requireFreePorts({ PORT: settings.port, AUTH_PORT: settings.authPort });
  await using ends = new AsyncDisposableStack();
  const readyFile = readyFileOf(settings);
  mkdirSync(settings.localDir, { recursive: true });
  rmSync(readyFile, { force: true });
  const service = await startParts(settings, ends, log);
  ends.defer(() => rmSync(readyFile, { force: true }));
  writeReady(settings, service.ready);
  const started = ends.move();
  return {
    ...service,
    stop: () =>
      started
        .disposeAsync()
        .catch((error: unknown) => log(`Not everything has ended well: ${reason(error)}`)),
  };
};

const readyFileOf = ({ localDir }: LocalSettings): string => join(localDir, 'ready.json');

const writeReady = (settings: LocalSettings, ready: Ready): void =>
  replaceFile(readyFileOf(settings), `${JSON.stringify(ready, null, 2)}\n`);

const startParts = async (
  settings: LocalSettings,
  ends: AsyncDisposableStack,
  log: Log,
): Promise<Omit<LocalService, 'stop'>> => {
  const events = liveEvents();
  ends.defer(() => events.stop());
  const [{ folder }, plumbing] = await Promise.all([
    buildFunctions(settings.localDir, log),
    startPlumbing({ settings, ends, log, onEvent: (event) => events.tell(event) }),
  ]);
  applyEnvironment(plumbing.environment, ends);
  const loaded = new Map<string, LambdaHandler>();
  const load = (name: string): LambdaHandler => {
    const handler = loaded.get(name) ?? loadFunction(folder, name, { POWERTOOLS_SERVICE_NAME: name });
    loaded.set(name, handler);
    return handler;
  };
  const demo = await openDemo(plumbing, settings.dataDir);
  const sweep = startWorkers({ plumbing, load, dataDir: settings.dataDir, ends, log });
  let pages: Interceptor = () => false;
  const gateway = await listen(localGateway(load, log), {
    port: settings.port,
    intercept: (request, response) => pages(request, response),
  });
  ends.defer(() => gateway.stop());
  const ready = readyFor(gateway.url, plumbing, demo);
  const lines = await curlLines(ready, systemClock.now());
  const clock = testClock(({ offset_ms }) => {
    ready.clock.offset_ms = offset_ms;
    writeReady(settings, ready);
    void sweep.now();
  });
  const { mailbox, queues, bank } = plumbing;
  bank.openAt(gateway.url);
  pages = homePages({
    ready,
    curlLines: lines,
    clock,
    events,
    mails: () => mailbox.list(),
    queues: () => queues.depths(),
    bank,
  });
  return { ready, curlLines: lines };
};

const localGateway = (load: (name: string) => LambdaHandler, log: Log) => {
  const groups = new Map<string, GroupFunction>(
    routeGroups.map(({ group }) => [group, inTurns(load(group) as unknown as GroupFunction)]),
  );
  const authorizer = load('authorizer');
  return createGateway({
    groups: routeGroups,
    functionOf: (group) => groups.get(group),
    authorizer: (event) => authorizer(event, {}) as ReturnType<AuthorizerFunction>,
    authorizerTtlMs,
    onFault: (what, cause) => log(`${what}: ${reason(cause)}`),
  });
};

/** A burst waits in line instead of slowing every call down: those who come late see what was decided before them. */
const inTurns = (call: GroupFunction): GroupFunction => {
  const limit = pLimit(instancesOfAFunction);
  return (event, context) => limit(call, event, context);
};

/** Puts the functions' environment in place, and back as it was in the end. */
const applyEnvironment = (environment: Record<string, string>, ends: AsyncDisposableStack): void => {
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, environment);
  ends.defer(() => {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });
};

/** The demo data: made once for each table, and remembered beside it. */
const openDemo = async (plumbing: Plumbing, dataDir: string | undefined): Promise<Ready['demo']> => {
  const file = dataDir === undefined ? undefined : join(dataDir, 'demo.json');
  if (file !== undefined && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Ready['demo'];
  const demo = await seedDemo({
    deps: dependenciesFrom(process.env),
    createAccount: async (account) =>
      plumbing.identity.findUserByEmail(account.email) ?? (await plumbing.identity.createUser(account)),
  });
  if (file !== undefined) replaceFile(file, `${JSON.stringify(demo, null, 2)}\n`);
  return demo;
};

const readyFor = (
  apiUrl: string,
  { identity, environment, queues }: Plumbing,
  demo: Ready['demo'],
): Ready => ({
  api_url: apiUrl,
  auth_url: identity.url,
  home_url: `${apiUrl}/_local/`,
  client: localClient,
  demo,
  clock: { offset_ms: Number(process.env[clockVariable] ?? 0) },
  table: { endpoint: environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', name: localNames.table },
  queues: { endpoint: queues.endpoint },
  bus: { endpoint: environment['AWS_ENDPOINT_URL_EVENTBRIDGE'] ?? '', name: localNames.bus },
});
