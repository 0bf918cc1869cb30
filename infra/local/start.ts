import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { routeGroups } from '../../functions/routes.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { dependenciesFrom } from '../../shared/platform/environment/environment.ts';
import { allowedOrigins } from '../../shared/platform/http/cors.ts';
import { identityFrom } from '../../shared/platform/environment/identity-environment.ts';
import { sealingFrom } from '../../shared/platform/environment/sealing-environment.ts';
import { boardPages } from './board.ts';
import { replaceFile } from './replace-file.ts';
import { curlCommands } from './curl-commands.ts';
import { isNeededByDemo } from './demo/deliveries.ts';
import { seedDemo } from './demo/index.ts';
import { commitVariables } from '../commit.ts';
import { environmentName } from './environment.ts';
import { buildFunctions, type LambdaHandler, lazyFunction } from './functions.ts';
import { type AuthorizerFunction, createGateway, type GroupFunction } from './gateway/index.ts';
import { type Interceptor, listen } from './gateway/listen.ts';
import { clockVariable, homePages, liveEvents, recentRequests, testClock } from './home/index.ts';
import { type Log, reason } from './log.ts';
import { type LocalInfrastructure, startInfrastructure } from './infrastructure.ts';
import { requireFreePorts } from './ports.ts';
import type { Ready } from './ready.ts';
import { localAudience, localClients, localNames, type LocalSettings } from './settings.ts';
import { startWorkers } from './workers.ts';

export interface LocalService {
  ready: Ready;
  /** Three shell commands that end in a confirmed booking. */
  curlLines: string[];
  stop(): Promise<void>;
}

/** How long the local gateway caches authorizer results: long enough for a burst, too short to be noticed. */
const authorizerTtlMs = 1000;

/** The maximum of concurrent calls of one function. */
const maxConcurrency = 16;

/** Starts the whole service in this process (D68–D71); only the table's emulator is a child. */
export const startLocalService = async (settings: LocalSettings, log: Log): Promise<LocalService> => {
  await requireFreePorts({ PORT: settings.port, AUTH_PORT: settings.authPort });
  await using stack = new AsyncDisposableStack();
  const readyFile = readyFileOf(settings);
  mkdirSync(settings.localDir, { recursive: true });
  rmSync(readyFile, { force: true });
  const service = await startServices(settings, stack, log);
  stack.defer(() => rmSync(readyFile, { force: true }));
  writeReady(settings, service.ready);
  const started = stack.move();
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

/** Writes the functions' variables for programs beside the service, until it stops. */
const writeEnvironment = (
  { localDir }: LocalSettings,
  environment: Record<string, string>,
  stack: AsyncDisposableStack,
): void => {
  const file = join(localDir, environmentName);
  replaceFile(file, `${JSON.stringify(environment, null, 2)}\n`);
  stack.defer(() => rmSync(file, { force: true }));
};

const startServices = async (
  settings: LocalSettings,
  stack: AsyncDisposableStack,
  log: Log,
): Promise<Omit<LocalService, 'stop'>> => {
  const events = liveEvents();
  stack.defer(() => events.stop());
  let isSeeding = false;
  const [{ folder }, infrastructure] = await Promise.all([
    buildFunctions(settings.localDir, log),
    startInfrastructure({
      ...{ settings, stack, log },
      onEvent: (event) => events.publish(event),
      delivers: (consumer, eventType) => !isSeeding || isNeededByDemo(consumer, eventType),
    }),
  ]);
  applyEnvironment({ ...infrastructure.environment, ...commitVariables() }, stack);
  const loaded = new Map<string, LambdaHandler>();
  const load = (name: string): LambdaHandler => {
    const handler = loaded.get(name) ?? lazyFunction(folder, name);
    loaded.set(name, handler);
    return handler;
  };
  let pages: Interceptor = () => false;
  const requests = recentRequests();
  const gateway = await listen(localGateway(load, log), {
    port: settings.port,
    intercept: (request, response) => pages(request, response),
    onAnswered: (answered) => requests.add(answered),
  });
  stack.defer(() => gateway.stop());
  const withPages = { ...infrastructure.environment, PAGES_URL: gateway.url };
  applyEnvironment(withPages, stack);
  writeEnvironment(settings, withPages, stack);
  const { demo, isNew } = await openDemo(infrastructure, settings, gateway.url);
  isSeeding = isNew;
  const { moved, settled } = startWorkers({ infrastructure, load, dataDir: settings.dataDir, stack, log });
  // What the demo data causes has happened before the first request: search finds it, no webhook gets it late.
  if (isNew) await settled();
  isSeeding = false;
  const ready = readyFor(gateway.url, infrastructure, demo);
  const lines = await curlCommands(ready, { nowMs: systemClock.now(), isNew });
  const clock = testClock(({ offset_ms }) => {
    ready.clock.offset_ms = offset_ms;
    writeReady(settings, ready);
    void moved();
  });
  const { mailbox, queues, sandbox } = infrastructure;
  sandbox.openAt(gateway.url);
  const home = homePages({
    ...{ ready, curlLines: lines, clock, events, requests, sandbox },
    mails: () => mailbox.list(),
    queues: () => queues.depths(),
  });
  pages = firstOf(home, boardPages(ready.auth_url));
  return { ready, curlLines: lines };
};

/** Answers with the first that knows the path. */
const firstOf =
  (...all: readonly Interceptor[]): Interceptor =>
  (request, response) =>
    all.some((one) => one(request, response));

const localGateway = (load: (name: string) => LambdaHandler, log: Log) => {
  const groups = new Map<string, GroupFunction>(
    // The bundle of a group exports the handler that `serve` returns.
    routeGroups.map(({ group }) => [group, limitConcurrency(load(group) as unknown as GroupFunction)]),
  );
  const authorizer = load('authorizer');
  return createGateway({
    groups: routeGroups,
    functionOf: (group) => groups.get(group),
    authorizer: (event) => authorizer(event, {}) as ReturnType<AuthorizerFunction>,
    authorizerTtlMs,
    origins: allowedOrigins(),
    onFault: (what, cause) => log(`${what}: ${reason(cause)}`),
  });
};

/** Queues calls above the concurrency limit, so that a burst does not slow every call. */
const limitConcurrency = (call: GroupFunction): GroupFunction => {
  const limit = pLimit(maxConcurrency);
  return (event, context) => limit(call, event, context);
};

/** Sets the functions' environment, and restores it at disposal. */
const applyEnvironment = (environment: Record<string, string>, stack: AsyncDisposableStack): void => {
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, environment);
  stack.defer(() => {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });
};

/** Creates the demo data once for each table, and stores its ids beside it. */
const openDemo = async (
  infrastructure: LocalInfrastructure,
  { dataDir, demo: size }: LocalSettings,
  apiUrl: string,
): Promise<{ demo: Ready['demo']; isNew: boolean }> => {
  const file = dataDir === undefined ? undefined : join(dataDir, 'demo.json');
  if (file !== undefined && existsSync(file))
    return { demo: JSON.parse(readFileSync(file, 'utf8')) as Ready['demo'], isNew: false };
  const demo = await seedDemo({
    deps: {
      ...dependenciesFrom(process.env),
      identity: identityFrom(process.env),
      sealing: sealingFrom(() => process.env),
    },
    createAccount: async (account) =>
      infrastructure.identity.findUserByEmail(account.email) ??
      (await infrastructure.identity.createUser(account)),
    ...{ apiUrl, size },
  });
  if (file !== undefined) replaceFile(file, `${JSON.stringify(demo, null, 2)}\n`);
  return { demo, isNew: true };
};

const readyFor = (
  apiUrl: string,
  { identity, environment, queues }: LocalInfrastructure,
  demo: Ready['demo'],
): Ready => ({
  api_url: apiUrl,
  auth_url: identity.url,
  home_url: `${apiUrl}/_local/`,
  client: { ...localClients.demo, audience: localAudience },
  demo,
  clock: { offset_ms: Number(process.env[clockVariable] ?? 0) },
  table: { endpoint: environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', name: localNames.table },
  queues: { endpoint: queues.endpoint },
  bus: { endpoint: environment['AWS_ENDPOINT_URL_EVENTBRIDGE'] ?? '', name: localNames.bus },
  payments: { endpoint: environment['PAYMENT_SANDBOX_URL'] ?? '' },
});
