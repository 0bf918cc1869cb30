/** The event types that the service speaks of to others (D61). */
export const publicEventTypes = [
  'booking.created',
  'booking.confirmed',
  'booking.cancelled',
  'booking.checked_in',
  'booking.checked_out',
  'booking.completed',
  'payment.paid',
  'payment.failed',
  'payment.refunded',
  'listing.created',
  'listing.updated',
  'listing.archived',
  'availability.changed',
  'customer.registered',
  'chat.message_created',
  'review.created',
] as const;
export type PublicEventType = (typeof publicEventTypes)[number];

/** Every event type: also those that the service tells itself alone. */
export const eventTypes = [...publicEventTypes, 'webhook.failing', 'calendar_feed.stale'] as const;

export type EventType = (typeof eventTypes)[number];

/** An event as it travels: EventBridge detail, webhook body, feed item. */
export interface EventMessage {
  id: string;
  event_type: EventType;
  occurred_at: string;
  team_id: number | null;
  actor: string;
  data: { id: number } & Record<string, unknown>;
}

/** The EventBridge source of everything the service says. */
export const eventSource = 'nightlatch';
