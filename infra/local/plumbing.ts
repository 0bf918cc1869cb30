import { machineClock, systemClock } from '../../shared/platform/clock.ts';
import { eventTypes, eventDataIssues } from '../../shared/events.ts';
import type { EventMessage } from '../../shared/platform/events/index.ts';
import { tableDefinition } from '../../shared/platform/table/definition.ts';
import { workQueues } from '../../shared/schedules.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { startBus } from './bus.ts';
import { functionEnvironment } from './environment.ts';
import { type RunningIdentityProvider, startIdentityProvider } from './identity/index.ts';
import type { Log } from './log.ts';
import { type Mailbox, openMailbox, startMail } from './mail.ts';
import { type Queues, startQueues } from './queues/start-queues.ts';
import { openBank, type PaymentBank, startPaymentBank } from './payments/index.ts';
import { localClient, localNames, type LocalSettings } from './settings.ts';
import { createLocalTable, type LocalTable, startTable, type TableServer } from './table/index.ts';

export interface Plumbing {
  table: LocalTable & { server: TableServer };
  queues: Queues;
  mailbox: Mailbox;
  bank: PaymentBank;
  identity: RunningIdentityProvider;
  /** What every function is told. */
  environment: Record<string, string>;
}

interface Starting {
  settings: LocalSettings;
  ends: AsyncDisposableStack;
  log: Log;
  /** Told every event that the bus takes. */
  onEvent: (event: EventMessage) => void;
}

/** Starts everything that AWS and the identity provider are in the cloud. */
export const startPlumbing = async (starting: Starting): Promise<Plumbing> => {
  const { settings, ends, log } = starting;
  const kept = settings.dataDir === undefined ? {} : { dataDir: settings.dataDir };
  const mailbox = openMailbox({ clock: systemClock, ...kept });
  const bank = openBank({ clock: systemClock, ...kept });
  const [table, { queues, bus }, mail, payments, identity] = await Promise.all([
    openTable(starting),
    startMessaging(starting),
    startMail({ mailbox, log }),
    startPaymentBank({ bank, log }),
    startIdentityProvider({
      port: settings.authPort,
      ...kept,
      clock: machineClock,
      clients: [localClient],
      audience: localClient.audience,
      sendMail: (sent) => void mailbox.add(sent),
    }),
  ]);
  ends.defer(() => mail.stop());
  ends.defer(() => payments.stop());
  ends.defer(() => identity.stop());
  const environment = functionEnvironment({
    table: table.server.endpoint,
    bus: bus.endpoint,
    mail: mail.endpoint,
    queues: queues.endpoint,
    payments: payments.endpoint,
    queueUrl: (name) => queues.urlOf(name),
    identity,
  });
  return { table, queues, mailbox, bank, identity, environment };
};

const openTable = async ({ settings, ends, log }: Starting): Promise<Plumbing['table']> => {
  const { dataDir } = settings;
  const server = await startTable({ ...(dataDir === undefined ? {} : { dataDir }), log });
  ends.defer(() => server.stop());
  return { ...(await createLocalTable(server.endpoint, tableDefinition(localNames.table))), server };
};

const watcher = 'live-events';

const startMessaging = async ({ settings: { dataDir }, ends, log, onEvent }: Starting) => {
  const queues = await startQueues({
    queues: [...subscriptions, ...workQueues],
    ...(dataDir === undefined ? {} : { dataDir }),
    log,
  });
  ends.defer(() => queues.stop());
  const bus = await startBus({
    subscriptions: [...subscriptions, { consumer: watcher, event_types: eventTypes }],
    deliver: async (consumer, body) => {
      if (consumer !== watcher) return queues.send(consumer, body);
      const { detail } = JSON.parse(body) as { detail: EventMessage };
      for (const issue of eventDataIssues(detail))
        log(`Event ${detail.id} does not fit its declaration: ${issue}`);
      onEvent(detail);
    },
    clock: systemClock,
    log,
  });
  ends.defer(() => bus.stop());
  return { queues, bus };
};
