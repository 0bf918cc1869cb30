import { machineClock, systemClock } from '../../shared/platform/time/clock.ts';
import { eventTypes, eventDataIssues } from '../../shared/events.ts';
import type { EventMessage } from '../../shared/platform/events/index.ts';
import { tableDefinition } from '../../shared/platform/table/definition.ts';
import { workQueues } from '../../shared/schedules.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { startBus } from './bus.ts';
import { localDataKey } from './data-key.ts';
import { functionEnvironment } from './environment.ts';
import { type RunningIdentityProvider, startIdentityProvider } from './identity/index.ts';
import type { Log } from './log.ts';
import { type Mailbox, openMailbox, startMail } from './mail.ts';
import { type Queues, startQueues } from './queues/start-queues.ts';
import { openSandboxGateway, type SandboxGateway, startSandboxGateway } from './payments/index.ts';
import {
  localAudience,
  localClients,
  localHostClientIds,
  localNames,
  type LocalSettings,
} from './settings.ts';
import { createLocalTable, type LocalTable, startTable, type TableServer } from './table/index.ts';

export interface LocalInfrastructure {
  table: LocalTable & { server: TableServer };
  queues: Queues;
  mailbox: Mailbox;
  sandbox: SandboxGateway;
  identity: RunningIdentityProvider;
  /** The variables of every function. */
  environment: Record<string, string>;
}

interface StartOptions {
  settings: LocalSettings;
  stack: AsyncDisposableStack;
  log: Log;
  /** Called with every event that the bus accepts. */
  onEvent: (event: EventMessage) => void;
  /** Whether a consumer gets an event of a type. */
  delivers: (consumer: string, eventType: string) => boolean;
}

/** Starts the local replacements of the AWS services and the identity provider. */
export const startInfrastructure = async (starting: StartOptions): Promise<LocalInfrastructure> => {
  const { settings, stack, log } = starting;
  const kept = settings.dataDir === undefined ? {} : { dataDir: settings.dataDir };
  const mailbox = openMailbox({ clock: systemClock, ...kept });
  const sandbox = openSandboxGateway({ clock: systemClock, ...kept });
  const [table, { queues, bus }, mail, payments, identity] = await Promise.all([
    openTable(starting),
    startMessaging(starting),
    startMail({ mailbox, log }),
    startSandboxGateway({ sandbox, log }),
    startIdentityProvider({
      port: settings.authPort,
      ...kept,
      clock: machineClock,
      clients: Object.values(localClients),
      audience: localAudience,
      ...(settings.hostMfa === 'required' && { secondFactorFor: localHostClientIds }),
      sendMail: (sent) => void mailbox.add(sent),
    }),
  ]);
  stack.defer(() => mail.stop());
  stack.defer(() => payments.stop());
  stack.defer(() => identity.stop());
  const environment = functionEnvironment({
    table: table.server.endpoint,
    bus: bus.endpoint,
    mail: mail.endpoint,
    queues: queues.endpoint,
    payments: payments.endpoint,
    queueUrl: (name) => queues.urlOf(name),
    identity,
    dataKey: localDataKey(settings.dataDir),
  });
  return { table, queues, mailbox, sandbox, identity, environment };
};

const openTable = async ({ settings, stack, log }: StartOptions): Promise<LocalInfrastructure['table']> => {
  const { dataDir } = settings;
  const server = await startTable({ ...(dataDir === undefined ? {} : { dataDir }), log });
  stack.defer(() => server.stop());
  return { ...(await createLocalTable(server.endpoint, tableDefinition(localNames.table))), server };
};

const liveEventsConsumer = 'live-events';

const startMessaging = async ({ settings: { dataDir }, stack, log, onEvent, delivers }: StartOptions) => {
  const queues = await startQueues({
    queues: [...subscriptions, ...workQueues],
    ...(dataDir === undefined ? {} : { dataDir }),
    log,
  });
  stack.defer(() => queues.stop());
  const bus = await startBus({
    subscriptions: [...subscriptions, { consumer: liveEventsConsumer, event_types: eventTypes }],
    deliver: async (consumer, body) => {
      const { detail } = JSON.parse(body) as { detail: EventMessage };
      if (!delivers(consumer, detail.event_type)) return;
      if (consumer !== liveEventsConsumer) return queues.send(consumer, body);
      for (const issue of eventDataIssues(detail))
        log(`Event ${detail.id} does not fit its declaration: ${issue}`);
      onEvent(detail);
    },
    clock: systemClock,
    log,
  });
  stack.defer(() => bus.stop());
  return { queues, bus };
};
