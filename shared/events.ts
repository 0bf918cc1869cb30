import type * as z from 'zod';
import { bookingEvents } from './domain/booking/booking.events.ts';
import { availabilityEvents } from './domain/calendar/availability.events.ts';
import { chatEvents } from './domain/chat/chat.events.ts';
import { calendarEvents } from './domain/ical/calendar.events.ts';
import { listingEvents } from './domain/listing/listing.events.ts';
import { customerEvents } from './domain/people/customer.events.ts';
import { teamEvents } from './domain/people/team.events.ts';
import { stayRuleEvents } from './domain/pricing/stay-rules.events.ts';
import { reviewEvents } from './domain/listing/review.events.ts';
import { webhookEvents } from './domain/webhook/webhook.events.ts';
import type { EventMessage } from './platform/events/index.ts';

/**
 * Every event type: its data, the part that partners see, its meaning and an example. Verbs, consumers, webhooks, the feed of
 * events, OpenAPI, the event catalogue and the sample events are derived from it.
 */
export const events = {
  ...bookingEvents,
  ...listingEvents,
  ...stayRuleEvents,
  ...availabilityEvents,
  ...customerEvents,
  ...teamEvents,
  ...chatEvents,
  ...reviewEvents,
  ...webhookEvents,
  ...calendarEvents,
} as const;

type Events = typeof events;
export type EventType = keyof Events;

/** The declarations of some event types. */
export type EventRows<Type extends EventType> = Pick<Events, Type>;

/** The event types that partners see. */
export type PublicEventType = {
  [Type in EventType]: Events[Type]['partners'] extends null ? never : Type;
}[EventType];

export const eventTypes = Object.keys(events) as EventType[];

const isPublicType = (type: EventType): type is PublicEventType => events[type].partners !== null;
export const publicEventTypes: readonly PublicEventType[] = eventTypes.filter(isPublicType);

/** The data that a verb writes. */
export type EventDataOf<Type extends EventType> = z.output<Events[Type]['data']>;

/** An event to write: a type and its data. */
export type NewEvent<Type extends EventType = EventType> = {
  [One in Type]: { event_type: One; data: EventDataOf<One> };
}[Type];

/** An event as a consumer reads it: only the id of its record is certain to be in the data. */
export type EventOf<Type extends EventType = EventType> = {
  [One in Type]: Omit<EventMessage, 'event_type' | 'data'> & {
    event_type: One;
    data: Partial<EventDataOf<One>> & { id: number };
  };
}[Type];

/** Returns how an event's data differs from the schema of its type; empty if it fits. */
export const eventDataIssues = ({ event_type, data }: { event_type: string; data: unknown }): string[] => {
  const row = event_type in events ? events[event_type as EventType] : undefined;
  if (!row) return [`${event_type} is not an event type`];
  const found = row.data.strict().safeParse(data);
  return found.success
    ? []
    : found.error.issues.map(({ path, message }) => `${event_type} data.${path.join('.')}: ${message}`);
};
