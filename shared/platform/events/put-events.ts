import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { type EventMessage, eventSource } from './event-message.ts';

const maxEntries = 10;
/** EventBridge and SQS accept 256 KiB; the rest is for EventBridge's envelope. */
const maxBytes = 240 * 1024;
const timeBytes = 14;

/** Returns the size of an entry as PutEvents counts it. */
const entryBytes = ({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number =>
  timeBytes + Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);

/**
 * Returns the PutEvents entry of an event. An event that is too large is sent with its id only; consumers read the record
 * anyway.
 */
export const entryOf = (message: EventMessage, busName: string): PutEventsRequestEntry => {
  const entry = entryWith(message, busName);
  if (entryBytes(entry) <= maxBytes) return entry;
  return entryWith({ ...message, data: { id: message.data.id, shortened: true } }, busName);
};

const entryWith = (message: EventMessage, busName: string): PutEventsRequestEntry => ({
  EventBusName: busName,
  Source: eventSource,
  DetailType: message.event_type,
  // SQS takes no message with the last two characters of the basic plane, which mean nothing.
  Detail: JSON.stringify(message).replace(/[\ufffe\uffff]/g, '\ufffd'),
  Time: new Date(message.occurred_at),
});

/** Splits entries into requests of at most 10 entries and 240 KiB, in order. */
export const toRequests = <Outgoing extends { entry: PutEventsRequestEntry }>(
  events: readonly Outgoing[],
): Outgoing[][] => {
  const requests: Outgoing[][] = [];
  let bytes = 0;
  for (const event of events) {
    const size = entryBytes(event.entry);
    const last = requests.at(-1);
    if (last && last.length < maxEntries && bytes + size <= maxBytes) {
      last.push(event);
      bytes += size;
    } else {
      requests.push([event]);
      bytes = size;
    }
  }
  return requests;
};
