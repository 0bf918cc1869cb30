import type * as z from 'zod';
import { bookingEvents } from './domain/booking/booking.events.ts';
import { availabilityEvents } from './domain/calendar/availability.events.ts';
import { chatEvents } from './domain/chat/chat.events.ts';
import { calendarFeedEvents } from './domain/ical/calendar-feed.events.ts';
import { listingEvents } from './domain/listing/listing.events.ts';
import { customerEvents } from './domain/people/customer.events.ts';
import { reviewEvents } from './domain/review/review.events.ts';
import { webhookEvents } from './domain/webhook/webhook.events.ts';
import type { EventMessage } from './platform/events/index.ts';

/**
 * Every event type, with its data, what partners see of it, its meaning and an example: what verbs may write, what consumers
 * read, webhooks, the feed, OpenAPI, the event catalogue and the sample events are derived from it.
 */
export const events = {
  ...bookingEvents,
  ...listingEvents,
  ...availabilityEvents,
  ...customerEvents,
  ...chatEvents,
  ...reviewEvents,
  ...webhookEvents,
  ...calendarFeedEvents,
} as const;

type Events = typeof events;
export type EventType = keyof Events;

/** The event types that partners see. */
export type PublicEventType = {
  [Type in EventType]: Events[Type]['partners'] extends null ? never : Type;
}[EventType];

export const eventTypes = Object.keys(events) as EventType[];

export const isPublicType = (type: EventType): type is PublicEventType => events[type].partners !== null;
export const publicEventTypes: readonly PublicEventType[] = eventTypes.filter(isPublicType);

/** The data that a verb writes. */
export type EventDataOf<Type extends EventType> = z.output<Events[Type]['data']>;

/** Each of the types with its own data. */
export type NewEvent<Type extends EventType = EventType> = {
  [One in Type]: { event_type: One; data: EventDataOf<One> };
}[Type];

/** An event as a consumer reads it: the id of its record, and of the rest what the event has. */
export type EventOf<Type extends EventType = EventType> = {
  [One in Type]: Omit<EventMessage, 'event_type' | 'data'> & {
    event_type: One;
    data: Partial<EventDataOf<One>> & { id: number };
  };
}[Type];

/** What an event's data has that its type does not declare, or lacks; empty where it fits. */
export const eventDataIssues = ({ event_type, data }: { event_type: string; data: unknown }): string[] => {
  const row = event_type in events ? events[event_type as EventType] : undefined;
  if (!row) return [`${event_type} is no event type`];
  const found = row.data.strict().safeParse(data);
  return found.success
    ? []
    : found.error.issues.map(({ path, message }) => `${event_type} data.${path.join('.')}: ${message}`);
};
