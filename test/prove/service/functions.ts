import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetQueueAttributesCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { PutCommand, TransactWriteCommand, UpdateCommand } from '../../../shared/platform/dynamodb/index.ts';
import { account } from '../../../functions/account/index.ts';
import { authorize } from '../../../functions/authorizer/authorize.ts';
import { availability } from '../../../functions/availability/index.ts';
import { bookings } from '../../../functions/bookings/index.ts';
import { cart } from '../../../functions/cart/index.ts';
import { changes } from '../../../functions/changes/index.ts';
import { chats } from '../../../functions/chats/index.ts';
import { checkout } from '../../../functions/checkout/index.ts';
import { customers } from '../../../functions/customers/index.ts';
import { external } from '../../../functions/external/index.ts';
import { feeds } from '../../../functions/feeds/index.ts';
import { guest } from '../../../functions/guest/index.ts';
import { invitations } from '../../../functions/invitations/index.ts';
import { listings } from '../../../functions/listings/index.ts';
import { payments } from '../../../functions/payments/index.ts';
import { prices } from '../../../functions/prices/index.ts';
import { bulk } from '../../../functions/bulk/index.ts';
import { pollCalendars } from '../../../functions/schedules/poll-calendars/index.ts';
import { retryWebhooks } from '../../../functions/schedules/retry-webhooks/index.ts';
import { search } from '../../../functions/search/index.ts';
import { system } from '../../../functions/system/index.ts';
import { team } from '../../../functions/team/index.ts';
import { webhooks } from '../../../functions/webhooks/index.ts';
import { calendarSyncWorker } from '../../../functions/workers/calendar-sync/index.ts';
import { chatWorker } from '../../../functions/workers/chat/index.ts';
import { icalWorker } from '../../../functions/workers/ical/index.ts';
import { listIndexWorker } from '../../../functions/workers/list-index/index.ts';
import { notificationWorker } from '../../../functions/workers/notification/index.ts';
import { publisher } from '../../../functions/workers/publisher/index.ts';
import { refundsWorker } from '../../../functions/workers/refunds/index.ts';
import { searchIndexWorker } from '../../../functions/workers/search-index/index.ts';
import { webhookWorker } from '../../../functions/workers/webhook/index.ts';
import { auditBookings } from '../../../shared/domain/audit/index.ts';
import { deliveryWorker } from '../../../shared/deliver-webhooks.ts';
import type { FetchCalendar } from '../../../shared/domain/ical/index.ts';
import { sendDueMails } from '../../../shared/domain/notification/index.ts';
import { moveDueBookings, reconcilePayments } from '../../../shared/domain/payment/index.ts';
import { functionSources } from '../../../infra/bundling.ts';
import { grantOf } from '../../../infra/cloud/grants.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { createSealing, type Sealing } from '../../../shared/platform/data-key/sealing.ts';
import type { Log } from '../../../shared/platform/metrics/log.ts';
import { testKeeper } from '../../support/sealing.ts';
import { missingTableRights } from '../../support/rights/table-right.ts';
import { OutgoingFailure, type OutgoingReply } from '../../../shared/platform/outgoing/index.ts';
import type { QueueHandler } from '../../../shared/platform/events/handle-messages.ts';
import type { GroupHandler } from '../../../shared/platform/http/serve.ts';
import type { IdentityProvider, TokenVerifier } from '../../../shared/platform/identity/index.ts';
import type { Mail } from '../../../shared/platform/mail/mailer.ts';
import { once } from '../../../shared/platform/once.ts';
import type { PaymentGateway } from '../../../shared/platform/payment/index.ts';
import { type WorkQueue, workQueue } from '../../../shared/platform/queue/work-queue.ts';
import { Table } from '../../../shared/platform/table/index.ts';
import type { Bank, Network } from './bank.ts';
import type { ServiceBug } from './bug.ts';
import type { Command } from '../memory/simulated-table.ts';
import { withSdkRetries } from '../memory/sdk-client.ts';
import { hostApplication, type Tenant } from './identity/tenant.ts';
import type { Machine } from './machine.ts';
import type { Queue } from './queue.ts';
import { commandBefore, replyBefore, replyOf } from './versions.ts';
import { type ServiceTable, tableName } from './table.ts';
import { senderOf } from '../../support/sender.ts';

const stage = 'test';

/** The world outside of the functions. */
export interface Outside {
  table: ServiceTable;
  bank: Bank;
  tenant: Tenant;
  queue: (name: string) => Queue;
  /** Takes an event to its queues. */
  publish: (type: string, detail: string) => void;
  /** A partner's endpoint: the status of its answer. */
  endpoint: (url: string, headers: Record<string, string>, body: string) => number;
  /** A platform's answer to a fetch of its calendar. */
  calendar: (url: string, headers: Record<string, string>) => OutgoingReply;
  mailbox: (mail: Mail, by: Machine) => void;
  now: () => number;
  bug: ServiceBug | undefined;
  /** Of functions of the version before, which read and write records of theirs. */
  isVersionBefore?: boolean;
  note: (line: string) => void;
  /** Takes what is wrong whatever happened. */
  fail: (problem: string) => void;
}

const silent = (what: string) => (): Error =>
  Object.assign(new Error(`${what} did not answer`), { name: 'TimeoutError' });

const refused = (what: string) => (): Error => new Error(`${what} refused the call`);

/** What DynamoDB refuses for a moment: a conflict of transactions, or throttling. */
const tableRefusal = (command: Command) => (): Error =>
  command instanceof TransactWriteCommand
    ? new TransactionCanceledException({
        $metadata: {},
        message: 'Transaction cancelled',
        CancellationReasons: (command.input.TransactItems ?? []).map((_, at) => ({
          Code: at === 0 ? 'TransactionConflict' : 'None',
        })),
      })
    : new ProvisionedThroughputExceededException({ $metadata: {}, message: 'throttled' });

const isWrite = (command: Command): boolean =>
  command instanceof TransactWriteCommand ||
  command instanceof PutCommand ||
  command instanceof UpdateCommand;

/** A log whose errors are lines of the history; what callers must not see is a problem. */
const notedLog = (machine: Machine, { note, fail }: Outside): Log => ({
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (message, { cause, ...more } = {}) => {
    const facts = `${JSON.stringify(more)} ${String((cause as Error | string | undefined) ?? '')}`
      .replace(/\s+/g, ' ')
      .slice(0, 500);
    const line = `${machine.name} ERROR ${message} ${facts}`;
    note(line);
    if (more['code'] === 'INTERNAL_ERROR') fail(line);
  },
});

/** A command as the version of the function sends it, with the planted bug. */
const sentAs = (command: Command, { bug, isVersionBefore }: Outside): Command => {
  const tampered = bug?.tamper?.(command) ?? command;
  return isVersionBefore ? commandBefore(bug?.tamperBefore?.(tampered) ?? tampered) : tampered;
};

const readAs = (
  { name }: Machine,
  command: Command,
  reply: object,
  { bug, isVersionBefore }: Outside,
): object => {
  if (isVersionBefore) return replyBefore(command, reply);
  const { reading } = bug ?? {};
  return reading ? replyOf(command, reply, (item) => reading(item, name)) : reply;
};

const folders = new Map(functionSources().map(({ name }) => [name.slice(name.lastIndexOf('/') + 1), name]));

/** A function that asks more of the table than its role may would be refused on AWS, whatever it makes of that. */
const requireRights = (machine: Machine, command: Command, { fail }: Outside): void => {
  const [name = ''] = machine.name.split('/');
  const folder = folders.get(name);
  // The operator's tool has the rights of who runs it.
  if (folder === undefined) return;
  const missing =
    'operation' in command
      ? missingTableRights(folder, command.operation, command.input)
      : [`${name} may not send ${command.constructor.name}`];
  for (const one of missing) fail(one);
};

export const dependenciesOf = (machine: Machine, outside: Outside): Dependencies => {
  const client = senderOf((command: Command) => {
    const whole = sentAs(command, outside);
    requireRights(machine, whole, outside);
    return withSdkRetries(async () => {
      const reply = await machine.call({
        place: isWrite(whole) ? 'table write' : 'table read',
        what: whole.constructor.name,
        act: () => outside.table.execute(whole),
        refusal: tableRefusal(whole),
        silence: silent('the table'),
      });
      return readAs(machine, whole, reply, outside);
    });
  });
  return {
    table: new Table({ client, tableName }),
    clock: { now: () => outside.now() + machine.skewMs },
    log: notedLog(machine, outside),
    identity: once(() => identityOf(machine, outside)),
    payments: once(() => gatewayOf(machine, outside)),
    sealing: () => sealingOf(machine, outside),
  };
};

const sealing = createSealing([testKeeper], stage);

const sealingOf = (machine: Machine, { fail }: Outside): Sealing => {
  const [name = ''] = machine.name.split('/');
  const folder = folders.get(name);
  if (folder !== undefined && !grantOf(folder).sealed) fail(`functions/${folder} may not use the data key`);
  return sealing;
};

const gatewayOf = (machine: Machine, outside: Outside): PaymentGateway => {
  const network: Network = (what, act) =>
    machine.call({
      place: 'gateway',
      what,
      act,
      roundMs: outside.bank.roundMsOf(what),
      refusal: refused('the gateway'),
      silence: silent('the gateway'),
    });
  const gateway = outside.bank.gateway.client(network);
  return outside.bug?.gateway?.(gateway, machine.name) ?? gateway;
};

const identityOf = (machine: Machine, outside: Outside): IdentityProvider => {
  const clock = { now: () => outside.now() + machine.skewMs };
  const client = outside.tenant.client(
    (what, act) =>
      machine.call({
        place: 'identity',
        what,
        act,
        roundMs: outside.tenant.roundMs,
        refusal: () => new TypeError('fetch failed', { cause: refusedConnection }),
        silence: silent('the identity provider'),
      }),
    clock,
  );
  return outside.bug?.identity?.(client, machine.name) ?? client;
};

const refusedConnection = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

const queueTo = <Message>(machine: Machine, outside: Outside, name: string): WorkQueue<Message> => {
  const queue = outside.queue(name);
  const act = (command: unknown): object => {
    if (command instanceof GetQueueAttributesCommand)
      return { Attributes: { ApproximateNumberOfMessages: String(queue.size) } };
    if (!(command instanceof SendMessageBatchCommand)) throw new Error('the queue has no such call');
    for (const { MessageBody = '', DelaySeconds = 0 } of command.input.Entries ?? [])
      queue.send(MessageBody, DelaySeconds * 1000);
    return {};
  };
  const send = (command: unknown) =>
    machine.call({
      place: 'queue',
      what: `to ${name}`,
      act: () => act(command),
      refusal: refused('the queue'),
      silence: silent('the queue'),
    });
  return workQueue({ send } as never, `https://queues.example.com/${name}`);
};

const poster =
  (machine: Machine, outside: Outside) =>
  (
    url: string,
    { headers, body }: { headers: Record<string, string>; body: string },
  ): Promise<{ status: number }> =>
    machine.call({
      place: 'endpoint',
      what: 'webhook',
      act: () => ({ status: outside.endpoint(url, headers, body) }),
      refusal: () => new OutgoingFailure('refuses the connection'),
      silence: () => new OutgoingFailure('did not answer within 10 seconds'),
    });

/** The text is that of the moment at which the answer arrives. */
const calendarFetcher =
  (machine: Machine, outside: Outside): FetchCalendar =>
  async (url, headers) => {
    await machine.call({
      place: 'calendar',
      what: 'calendar',
      act: () => undefined,
      refusal: () => new OutgoingFailure('refuses the connection'),
      silence: () => new OutgoingFailure('did not answer within 10 seconds'),
    });
    return outside.calendar(url, headers);
  };

/** Tokens of the provider end; those of people who are there from the start are their subject, and do not. */
const verifierOf = (machine: Machine, outside: Outside): TokenVerifier => {
  const verify = outside.tenant.verifier(() => outside.now() + machine.skewMs);
  return async (token) => {
    if (!token.startsWith('auth0|')) {
      const { subject, claims } = await verify(token);
      return { subject, claims: outside.bug?.claims?.(claims) ?? claims };
    }
    // A number of its own follows the subject, so that log-out ends one token alone.
    const [subject = token] = token.split('~');
    return { subject, claims: { azp: hostApplication, sub: subject, exp: 4_102_444_800 } };
  };
};

type Make<Handler> = (machine: Machine, outside: Outside) => Handler;

const group =
  (
    handlerOf: (deps: () => Dependencies, machine: Machine, outside: Outside) => unknown,
  ): Make<GroupHandler> =>
  (machine, outside) => {
    const deps = dependenciesOf(machine, outside);
    return handlerOf(() => deps, machine, outside) as GroupHandler;
  };

/** The function of every route group, as one instance. */
export const groupFunctions: Record<string, Make<GroupHandler>> = {
  account: group(account),
  availability: group(availability),
  bookings: group(bookings),
  cart: group(cart),
  changes: group(changes),
  chats: group(chats),
  checkout: group(checkout),
  customers: group(customers),
  external: group(external),
  invitations: group((deps, _, outside) => invitations(deps, { now: outside.now })),
  feeds: group((deps, machine, outside) => feeds(deps, calendarFetcher(machine, outside))),
  guest: group(guest),
  listings: group(listings),
  payments: group(payments),
  prices: group(prices),
  bulk: group(bulk),
  search: group((deps) => search(deps)),
  system: group(system),
  team: group((deps) => team(deps, () => stage)),
  webhooks: group((deps, machine, outside) =>
    webhooks(deps, {
      post: poster(machine, outside),
      signingClock: { now: outside.now },
      address: () => ({ local: false, resolve: async () => [{ address: '93.184.215.14', family: 4 }] }),
    }),
  ),
};

export const authorizerFunction = (machine: Machine, outside: Outside) =>
  authorize({
    deps: dependenciesOf(machine, outside),
    stage,
    hosts: { applications: new Set([hostApplication]), mfa: 'off', audience: '' },
    verify: verifierOf(machine, outside),
  });

const mailerOf = (machine: Machine, outside: Outside) => ({
  send: (mail: Mail) =>
    machine.call({
      place: 'mail',
      what: `mail "${mail.subject}"`,
      act: () => outside.mailbox(mail, machine),
      refusal: refused('the mail service'),
      silence: silent('the mail service'),
    }),
});

type Worker = (deps: () => never) => QueueHandler;
type More = (machine: Machine, outside: Outside) => object;

const worker =
  (handlerOf: Worker, more: More): Make<QueueHandler> =>
  (machine, outside) => {
    const deps = { ...dependenciesOf(machine, outside), ...more(machine, outside) };
    return handlerOf(() => deps as never);
  };

const nothing = () => ({});

const mailing = (machine: Machine, outside: Outside) => ({ mailer: mailerOf(machine, outside) });

const delivering = (lane: 'first' | 'second') => (machine: Machine, outside: Outside) => ({
  lane,
  post: poster(machine, outside),
  signingClock: { now: outside.now },
  second: queueTo<never>(machine, outside, 'webhook-retry'),
});

/** The worker of every queue. */
export const workerFunctions: Record<string, Make<QueueHandler>> = {
  notification: worker(notificationWorker, mailing),
  chat: worker(chatWorker, nothing),
  refunds: worker(refundsWorker, nothing),
  ical: worker(icalWorker, nothing),
  webhook: worker(webhookWorker, (machine, outside) => ({
    deliveries: queueTo<never>(machine, outside, 'webhook-delivery'),
  })),
  'search-index': worker(searchIndexWorker, nothing),
  'list-index': worker(listIndexWorker, nothing),
  'calendar-sync': worker(calendarSyncWorker, (machine, outside) => ({
    fetchCalendar: calendarFetcher(machine, outside),
  })),
  'webhook-delivery': worker(deliveryWorker, delivering('first')),
  'webhook-retry': worker(deliveryWorker, delivering('second')),
};

/** Every schedule. The audit of the service must never ring, whatever happens outside. */
export const scheduleFunctions: Record<string, Make<() => Promise<unknown>>> = {
  'poll-calendars': (machine, outside) => {
    const deps = {
      ...dependenciesOf(machine, outside),
      queue: queueTo<never>(machine, outside, 'calendar-sync'),
    };
    return pollCalendars(() => deps);
  },
  'retry-webhooks': (machine, outside) => {
    const deps = {
      ...dependenciesOf(machine, outside),
      queue: queueTo<never>(machine, outside, 'webhook-retry'),
    };
    return retryWebhooks(() => deps);
  },
  'move-due-bookings': (machine, outside) => {
    const deps = dependenciesOf(machine, outside);
    return () => moveDueBookings(deps);
  },
  'reconcile-payments': (machine, outside) => {
    const deps = dependenciesOf(machine, outside);
    return () => reconcilePayments(deps);
  },
  'audit-bookings': (machine, outside) => {
    const deps = dependenciesOf(machine, outside);
    return async () => {
      const { findings } = await auditBookings(deps);
      if (findings > 0) outside.fail(`the audit has ${findings} findings`);
    };
  },
  'send-due-mails': (machine, outside) => {
    const deps = { ...dependenciesOf(machine, outside), ...mailing(machine, outside) };
    return () => sendDueMails(deps);
  },
};

export const publisherFunction = (machine: Machine, outside: Outside) => {
  const send = (command: PutEventsCommand) =>
    machine.call({
      place: 'bus',
      what: 'PutEvents',
      act: () => {
        const Entries = (command.input.Entries ?? []).map(({ DetailType = '', Detail = '' }) => {
          outside.publish(DetailType, Detail);
          return { EventId: 'event' };
        });
        return { Entries };
      },
      refusal: refused('the bus'),
      silence: silent('the bus'),
    });
  const log = notedLog(machine, outside);
  return publisher(() => ({ bus: { send } as never, busName: 'bus', log }));
};
