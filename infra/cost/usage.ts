import { type Objective, objectives } from '../../shared/platform/metrics/objectives.ts';
import { schedules, workQueues } from '../../shared/schedules.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { sealedFunctions } from '../cloud/grants.ts';
import { callerRuleNames } from '../cloud/constructs/firewall.ts';
import { sumOf, times, type Usage } from './bill.ts';

/** How many resources of each type the stacks have. */
export type Resources = Readonly<Record<string, number>>;

export const functionType = 'AWS::Lambda::Function';
const keyType = 'AWS::KMS::Key';
/** The metrics that all alarms together read. */
export const alarmMetrics = 'metrics of alarms';
/** The canary of the stage, 1 or 0. Its alarm is among the alarms. */
export const canaries = 'canaries';

const hoursOfMonth = 730;
const minutesOfMonth = hoursOfMonth * 60;
const secondsOfMonth = minutesOfMonth * 60;
const bytesOfGb = 1e9;

/** A request or a run of a function as it was measured. */
interface Work {
  /** CPU milliseconds of Node on the machine of the bench. */
  cpuMs: number;
  /** Round trips to the table that wait for each other. */
  trips: number;
  readUnits: number;
  writeUnits: number;
}

/**
 * Units as the tests of the budgets assert them, of a search that nothing was kept for; CPU by `npm run bench` on 2026-11-23, of
 * warm instances on two idle cores. That of the consumers is of 2026-11-24, less the five write units of a first message in each chat,
 * and has bus, queues and stream of the laptop in it.
 */
export const measured = {
  preview: { cpuMs: 2, trips: 1, readUnits: 4, writeUnits: 0 },
  confirm: { cpuMs: 2.9, trips: 2, readUnits: 5, writeUnits: 16 },
  search: { cpuMs: 6, trips: 3, readUnits: 26, writeUnits: 0 },
  /** All consumers of a booking together, without webhooks. */
  consumers: { cpuMs: 13.1, trips: 30, readUnits: 26, writeUnits: 18 },
  /** The requests of a run of the canary, whose CPU is that of two confirms and four previews. */
  canary: { requests: 6, cpuMs: 13.8, trips: 23, readUnits: 28, writeUnits: 25 },
  /** A run of a schedule that finds nothing; one that drains a list reads its 16 shards and its position besides. */
  idleRun: { cpuMs: 5, trips: 1, readUnits: 1, writeUnits: 0 },
  idleDrain: { cpuMs: 0, trips: 0, readUnits: 17, writeUnits: 0 },
} satisfies Record<string, Work & { requests?: number }>;

/** What is assumed where nothing can be measured on a laptop. */
export const assumed = {
  /** A function of 1,769 MB has one core; less memory, a part of it. */
  megabytesOfCore: 1769,
  tableMs: 5,
  /** DynamoDB asks KMS for the key of the table once in that time for each function that calls it. */
  keyMinutes: 5,
  apiMegabytes: 1024,
  workerMegabytes: 512,
  /** Of the requests, those for which the gateway does not know the authorizer's answer. */
  authorizerShare: 0.1,
  authorizer: { cpuMs: 3, trips: 1, readUnits: 1, writeUnits: 0 },
  /** A line of the access log, START, END and REPORT of the function, and its line of metrics. */
  logBytesOfRequest: 600 + 400 + 310,
  logBytesOfRun: 400 + 230,
  answerBytes: { search: 15_000, other: 2_000 },
  /** X-Ray records the first request of each second and 5 % of the others, of the gateway and of each other function. */
  tracedShare: 0.05,
  /** Long polls that Lambda keeps open for each queue, each 20 seconds. */
  pollers: 5,
  /** How long an instance of a busy function lives. */
  instanceMinutes: 30,
  mailsOfBooking: 3,
  bytesOfBooking: 8_000,
  secrets: 1,
  /** What a browser asks about when it opens the board: page, configuration, worker and manifest; the rest it has kept. */
  filesOfOpening: 4,
  bytesOfOpening: 4_000,
  /** All versions of its files that were deployed. */
  bytesOfBoard: 10_000_000,
  /** How long the canary's function waits for its requests. */
  canarySeconds: 1,
};

const durationSeconds = ({ cpuMs, trips }: Work, megabytes: number): number =>
  (cpuMs / Math.min(1, megabytes / assumed.megabytesOfCore) + trips * assumed.tableMs) / 1000;

const runOf = (work: Work, megabytes: number): Usage => ({
  lambda_request: 1,
  lambda_gb_second: (durationSeconds(work, megabytes) * megabytes) / 1024,
  dynamodb_read: work.readUnits,
  dynamodb_write: work.writeUnits,
});

const logged = (bytes: number): Usage => ({
  logs_ingested: bytes / bytesOfGb,
  logs_stored: bytes / bytesOfGb / 2,
});

/** Returns what a request of the API uses. */
const requestOf = (work: Work, answerBytes: number): Usage =>
  sumOf(
    runOf(work, assumed.apiMegabytes),
    times(assumed.authorizerShare, runOf(assumed.authorizer, assumed.apiMegabytes)),
    logged(assumed.logBytesOfRequest),
    { gateway_request: 1, transfer_out: answerBytes / bytesOfGb },
  );

/** The traces of requests that come independently: a share of all, and what is left of the first one of each second. */
const tracesOf = (requests: number): Usage => {
  const secondsWithOne = secondsOfMonth * (1 - Math.exp(-requests / secondsOfMonth));
  return { xray_trace: assumed.tracedShare * requests + (1 - assumed.tracedShare) * secondsWithOne };
};

const isOfBooking = ({ event_types }: { event_types: readonly string[] }) =>
  event_types.includes('booking.created');

/** What follows from an event of a booking: the publisher, the bus, its consumers. */
const eventUsage = (): Usage => {
  const consumers = subscriptions.filter(isOfBooking).length;
  const work = { ...measured.consumers, trips: measured.consumers.trips / consumers };
  const worker = times(1 / consumers, runOf({ ...work, trips: 0 }, assumed.workerMegabytes));
  const waiting = {
    lambda_gb_second: (work.trips * assumed.tableMs * assumed.workerMegabytes) / 1024 / 1000,
  };
  return sumOf(
    times(
      consumers,
      sumOf(worker, waiting, { lambda_request: 1 - 1 / consumers }, logged(assumed.logBytesOfRun)),
    ),
    // For each consumer: sent, received and deleted.
    { lambda_request: 1, eventbridge_event: 1, sqs_request: 3 * consumers },
    { eventbridge_archive: 1000 / bytesOfGb },
  );
};

const storedBooking = (): Usage =>
  times(assumed.bytesOfBooking / bytesOfGb, { dynamodb_storage: 1, dynamodb_pitr: 1 });

/** A booking: a preview, a confirm, and everything that follows from its event. */
export const bookingUsage = (): Usage =>
  sumOf(
    requestOf(measured.preview, assumed.answerBytes.other),
    requestOf(measured.confirm, assumed.answerBytes.other),
    eventUsage(),
    { ses_mail: assumed.mailsOfBooking },
    storedBooking(),
  );

const runsOfCanary = minutesOfMonth / 5;

/** Returns what a canary uses in a month: its requests, a booking and its cancellation with what follows, its metric and key. */
const canaryUsage = (resources: Resources): Usage => {
  const { requests, ...work } = measured.canary;
  const calling = (assumed.canarySeconds * assumed.workerMegabytes) / 1024;
  return sumOf(
    times(
      runsOfCanary,
      sumOf(
        requestOf(work, requests * assumed.answerBytes.other),
        // The gateway has forgotten the authorizer's answer since the last run.
        times(1 - assumed.authorizerShare, runOf(assumed.authorizer, assumed.apiMegabytes)),
        times(
          requests - 1,
          sumOf({ gateway_request: 1, lambda_request: 1 }, logged(assumed.logBytesOfRequest)),
        ),
        times(2, eventUsage()),
        storedBooking(),
        { lambda_request: 1, lambda_gb_second: calling, scheduler_invocation: 1, xray_trace: 1 },
        logged(assumed.logBytesOfRun),
        firewallUsage(resources, requests),
      ),
    ),
    { custom_metric: 1, secret: 1 },
  );
};

/** Returns what the board uses in a month in which it is opened so many times. */
export const boardUsage = (openings: number): Usage =>
  sumOf(
    { s3_storage: assumed.bytesOfBoard / bytesOfGb },
    times(openings * assumed.filesOfOpening, { cloudfront_request: 1, s3_read: 1 }),
    { transfer_out: (openings * assumed.bytesOfOpening) / bytesOfGb },
  );

const keyRequests = (functions: number): Usage => ({
  kms_request: functions * (minutesOfMonth / assumed.keyMinutes),
});

/** Each instance of a function that shows or sends what is encrypted makes its data key once. */
const dataKeyRequests = (): Usage => ({
  kms_request: sealedFunctions.length * (minutesOfMonth / assumed.instanceMinutes),
});

/** The functions that call the table in a month without bookings: the schedules; authorizer, API and consumers for a canary. */
const quietCallers = (resources: Resources): number =>
  schedules.length + (resources[canaries] ?? 0) * (2 + subscriptions.filter(isOfBooking).length);

export const searchUsage = (): Usage => requestOf(measured.search, assumed.answerBytes.search);

/** Returns what a month without requests uses. */
export const idleUsage = (resources: Resources): Usage => {
  const runs = schedules.reduce((sum, { everyMinutes }) => sum + minutesOfMonth / everyMinutes, 0);
  const queues = subscriptions.length + workQueues.length;
  const polls = queues * assumed.pollers * 3 * minutesOfMonth;
  const drains = schedules.filter(({ drainsDueList }) => drainsDueList);
  const drainedReads = drains.reduce(
    (sum, { everyMinutes }) => sum + (minutesOfMonth / everyMinutes) * measured.idleDrain.readUnits,
    0,
  );
  return sumOf(
    times(runs, runOf(measured.idleRun, assumed.workerMegabytes)),
    times(runs, logged(assumed.logBytesOfRun)),
    keyRequests(quietCallers(resources)),
    {
      dynamodb_read: drainedReads,
      scheduler_invocation: runs,
      // Runs of a schedule are at least a minute apart.
      xray_trace: runs,
      sqs_request: polls,
      alarm: resources[alarmMetrics] ?? 0,
      composite_alarm: resources['AWS::CloudWatch::CompositeAlarm'] ?? 0,
      dashboard: resources['AWS::CloudWatch::Dashboard'] ?? 0,
      // The covered minutes of the schedules; every other metric has data only when something is wrong.
      custom_metric: 1,
      waf_acl: resources['AWS::WAFv2::WebACL'] ?? 0,
      waf_rule: (resources['AWS::WAFv2::WebACL'] ?? 0) * callerRuleNames.length,
      secret: assumed.secrets,
      kms_key: resources[keyType] ?? 0,
    },
  );
};

/** The objectives that the canary's requests belong to. */
const ofCanary: readonly Objective[] = ['confirm', 'booking', 'partner'];

/** Metrics of requests, which have data in every hour of a busy month; without traffic those of the canary's requests. */
const requestMetrics = (bookings: number, resources: Resources): Usage => {
  const without = resources[canaries] ? ofCanary.length : 0;
  return { custom_metric: bookings > 0 ? Object.keys(objectives).length : without };
};

/** A preview and a confirm. */
const requestsOfBooking = 2;

/** What X-Ray records of requests, and of the publisher and the consumers. */
const requestTraces = (requests: number, events: number): Usage =>
  sumOf(tracesOf(requests), times(1 + subscriptions.filter(isOfBooking).length, tracesOf(events)));

/** The firewall is paid for each request that it reads. */
const firewallUsage = (resources: Resources, requests: number): Usage => ({
  waf_request: (resources['AWS::WAFv2::WebACL'] ?? 0) * requests,
});

/** Returns what a month with bookings uses, each with so many searches. */
export const monthOf = (bookings: number, searches: number, resources: Resources): Usage => {
  const requests = bookings * (requestsOfBooking + searches);
  const canaryRuns = (resources[canaries] ?? 0) * runsOfCanary;
  return sumOf(
    idleUsage(resources),
    times(bookings, bookingUsage()),
    times(bookings * searches, searchUsage()),
    requestMetrics(bookings, resources),
    bookings > 0 ? keyRequests((resources[functionType] ?? 0) - quietCallers(resources)) : {},
    bookings > 0 ? times(resources[keyType] ?? 0, dataKeyRequests()) : {},
    times(resources[canaries] ?? 0, canaryUsage(resources)),
    firewallUsage(resources, requests),
    requestTraces(requests + canaryRuns * measured.canary.requests, bookings + 2 * canaryRuns),
  );
};
