/**
 * An event as it is published: the EventBridge detail, webhook body and feed item. `shared/events.ts` defines its type and
 * data.
 */
export interface EventMessage {
  id: string;
  event_type: string;
  /** UTC. */
  occurred_at: string;
  team_id: number | null;
  /** The caller that caused it: `user:<id>`, `key:<id>` or `system:<name>`. */
  actor: string;
  /** `data.id` is the id of the booking, listing or other record. */
  data: { id: number } & Record<string, unknown>;
}

/** The EventBridge source of every event. */
export const eventSource = 'nightlatch';
