/** Stream, bus, queues and workers in a process of their own. */
import { loadFunction } from '../../../infra/local/functions.ts';
import { startBus } from '../../../infra/local/bus.ts';
import { openMailbox, startMail } from '../../../infra/local/mail.ts';
import { startQueues } from '../../../infra/local/queues/index.ts';
import { openTableFile } from '../../../infra/local/table/table-file.ts';
import { startConsumers } from '../../../infra/local/workers.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { queueUrlVariable, workQueues } from '../../../shared/schedules.ts';
import { subscriptions } from '../../../shared/subscriptions.ts';
import { answerCalls } from '../processes.ts';

interface Table {
  endpoint: string;
  streamArn: string;
  tableName: string;
  /** The emulator's file. */
  file: string;
}

export interface WorkerCalls {
  start: (what: { folder: string; settings: Record<string, string>; table: Table }) => Promise<void>;
  /** The queue that waits longest, its messages, those that are left, and the bookings that every consumer has handled. */
  state: (argument: undefined) => { queue: string; sent: number; left: number; bookings: number };
  [name: string]: (argument: never) => unknown;
}

const log = (line: string): void => console.error(line);
const sent = new Map<string, number>();
/** Of them, the messages of new bookings. */
const booked = new Map<string, number>();
let queues: Awaited<ReturnType<typeof startQueues>> | undefined;

const startServices = async () => {
  const started = await startQueues({ queues: [...subscriptions, ...workQueues], log });
  const mailbox = openMailbox({ clock: systemClock });
  const mail = await startMail({ mailbox, log });
  const bus = await startBus({
    subscriptions,
    deliver: async (consumer, body) => {
      await started.send(consumer, body);
      sent.set(consumer, (sent.get(consumer) ?? 0) + 1);
      if (body.includes('"detail-type":"booking.created"'))
        booked.set(consumer, (booked.get(consumer) ?? 0) + 1);
    },
    clock: systemClock,
    log,
  });
  const variables: Record<string, string> = {
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint,
    AWS_ENDPOINT_URL_SESV2: mail.endpoint,
    AWS_ENDPOINT_URL_SQS: started.endpoint,
    EVENT_BUS_NAME: 'nightlatch-bench',
    MAIL_SENDER: 'hello@nightlatch.example',
    ...Object.fromEntries(
      workQueues.map(({ consumer }) => [queueUrlVariable(consumer), started.urlOf(consumer)]),
    ),
  };
  return { started, variables };
};

answerCalls({
  start: async ({ folder, settings, table }) => {
    const { started, variables } = await startServices();
    queues = started;
    Object.assign(process.env, settings, variables);
    const { endpoint, file: path, streamArn, tableName } = table;
    const server = {
      ...{ endpoint, file: { ...openTableFile(path), path } },
      ...{ pid: () => undefined, stop: async () => undefined },
    };
    startConsumers({
      infrastructure: { table: { streamArn, tableName, created: false, server }, queues },
      load: (name) => loadFunction(folder, name, { SERVICE_NAME: name }),
      // It ends with the process.
      stack: new AsyncDisposableStack(),
      log,
    });
  },
  state: () => {
    const depths = queues?.depths() ?? [];
    const left = (name: string) =>
      depths
        .filter((queue) => queue.name === name)
        .reduce((sum, { depth, in_flight }) => sum + depth + in_flight, 0);
    const [most] = [...sent.keys()].sort((one, other) => left(other) - left(one));
    if (most === undefined) return { queue: 'none', sent: 0, left: 0, bookings: 0 };
    const handled = [...booked].map(([name, count]) => Math.max(0, count - left(name)));
    const bookings = handled.length === 0 ? 0 : Math.min(...handled);
    return { queue: most, sent: sent.get(most) ?? 0, left: left(most), bookings };
  },
} satisfies WorkerCalls);
