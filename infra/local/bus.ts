import type { EventBridgeEvent } from 'aws-lambda';
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../shared/platform/time/clock.ts';
import { awsConfig } from './aws-config.ts';
import { type JsonReply, type JsonServer, startJsonServer } from './json-server.ts';
import { type Log, reason } from './log.ts';

interface BusOptions {
  subscriptions: readonly { consumer: string; event_types: readonly string[] }[];
  /** Sends a message to a consumer's queue: `Queues.send`. */
  deliver: (consumer: string, body: string) => Promise<void>;
  clock: Clock;
  log: Log;
}

interface Entry {
  Time?: number;
  Source?: string;
  DetailType?: string;
  Detail?: string;
  Resources?: string[];
}
type EntryResult = { EventId: string } | { ErrorCode: string; ErrorMessage: string };

const entriesAtOnce = 10;
const bytesAtOnce = 1024 * 1024;

const refusal = (ErrorCode: string, ErrorMessage: string): EntryResult => ({ ErrorCode, ErrorMessage });

const isObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

const invalid = (message: string): JsonReply => ({
  status: 400,
  body: { __type: 'ValidationException', message },
});

const asInstant = (epochSeconds: number): string =>
  `${new Date(epochSeconds * 1000).toISOString().slice(0, 19)}Z`;

/** SQS takes characters above U+FFFF, such as emojis; its emulator only escaped ones. */
const messageOf = (event: object): string =>
  JSON.stringify(event).replace(/[\ud800-\udfff]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`);

/** Sends one event in EventBridge's envelope to each queue that subscribes to its type. */
const route = async (entry: Entry, options: BusOptions): Promise<EntryResult> => {
  const { Source, DetailType, Detail, Resources = [], Time = options.clock.now() / 1000 } = entry;
  if (!Source)
    return refusal(
      'InvalidArgument',
      'Parameter Source is not valid. Reason: Source is a required argument.',
    );
  if (!DetailType) {
    return refusal(
      'InvalidArgument',
      'Parameter DetailType is not valid. Reason: DetailType is a required argument.',
    );
  }
  if (Detail === undefined || !isObject(Detail)) return refusal('MalformedDetail', 'Detail is malformed.');
  const event: EventBridgeEvent<string, unknown> = {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType,
    source: Source,
    account: '000000000000',
    time: asInstant(Time),
    region: awsConfig('').region,
    resources: Resources,
    detail: JSON.parse(Detail),
  };
  const takers = options.subscriptions.filter(({ event_types }) => event_types.includes(DetailType));
  try {
    await Promise.all(takers.map(({ consumer }) => options.deliver(consumer, messageOf(event))));
    return { EventId: event.id };
  } catch (error) {
    options.log(`Bus: ${DetailType} could not be delivered: ${reason(error)}`);
    return refusal('InternalFailure', reason(error));
  }
};

const putEvents = async (body: unknown, options: BusOptions): Promise<JsonReply> => {
  const entries = (body as { Entries?: Entry[] } | undefined)?.Entries ?? [];
  if (entries.length === 0 || entries.length > entriesAtOnce) {
    return invalid(`Value at 'entries' failed to satisfy constraint: 1 to ${entriesAtOnce} entries`);
  }
  if (Buffer.byteLength(JSON.stringify(entries)) > bytesAtOnce) {
    return invalid('Total size of the entries in the request is over the limit.');
  }
  const results = await Promise.all(entries.map((entry) => route(entry, options)));
  const failed = results.filter((result) => 'ErrorCode' in result).length;
  return { status: 200, body: { FailedEntryCount: failed, Entries: results } };
};

/** Starts a local EventBridge endpoint for PutEvents; an entry is accepted once every subscribed queue has it. */
export const startBus = (options: BusOptions): Promise<JsonServer> =>
  startJsonServer(async ({ headers, body }) => {
    const reply =
      headers['x-amz-target'] === 'AWSEvents.PutEvents'
        ? await putEvents(body, options)
        : invalid(`The local bus knows PutEvents alone, not ${String(headers['x-amz-target'])}`);
    return { ...reply, headers: { 'content-type': 'application/x-amz-json-1.1' } };
  }, options.log);
