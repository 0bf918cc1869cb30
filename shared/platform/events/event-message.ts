/** An event as it travels: EventBridge detail, webhook body, feed item. Its type and data are those of `shared/events.ts`. */
export interface EventMessage {
  id: string;
  event_type: string;
  /** UTC. */
  occurred_at: string;
  team_id: number | null;
  /** Who did it: `user:<id>`, `key:<id>` or `system:<what>`. */
  actor: string;
  /** `data.id` is the id of the booking, listing or other record. */
  data: { id: number } & Record<string, unknown>;
}

/** The EventBridge source of every event. */
export const eventSource = 'nightlatch';
