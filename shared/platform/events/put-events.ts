import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { type EventMessage, eventSource } from './event-message.ts';

const maxEntries = 10;
/** EventBridge and SQS take 256 KiB; the rest is for the envelope that EventBridge adds. */
const maxBytes = 240 * 1024;
const timeBytes = 14;

/** What PutEvents counts of an entry. */
export const entryBytes = ({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number =>
  timeBytes + Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);

/** The entry of an event. One that no request could hold travels with its id alone: consumers read the records anyway. */
export const entryOf = (message: EventMessage, busName: string): PutEventsRequestEntry => {
  const entry = entryWith(message, busName);
  if (entryBytes(entry) <= maxBytes) return entry;
  return entryWith({ ...message, data: { id: message.data.id, shortened: true } }, busName);
};

const entryWith = (message: EventMessage, busName: string): PutEventsRequestEntry => ({
  EventBusName: busName,
  Source: eventSource,
  DetailType: message.event_type,
  Detail: JSON.stringify(message),
  Time: new Date(message.occurred_at),
});

/** Requests in the order given: at most 10 entries and 240 KiB each. */
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
