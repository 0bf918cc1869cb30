import { defineEntity, sortable } from '../../platform/table/index.ts';
import type { PartnerEvent } from './partner-event.schema.ts';

/** An event in the feed. */
export type FeedEntry = Omit<PartnerEvent, 'team_id'> & {
  /** All teams of the event, if more than one. */
  team_ids?: number[];
};

/**
 * A page of a team's feed (D62b). Pages are numbered from 1 without gaps, and only the last one is open. Each write
 * checks `count` and that the page is open, so nothing can appear before an entry that was read.
 */
export interface EventPage {
  team_id: number;
  number: number;
  count: number;
  entries: FeedEntry[];
  /** Epoch milliseconds at which a later page became the last; null: this is the last. */
  closed_at: number | null;
}

/** Holds what an event of a team needs in one Query: the subscribers and the last page. */
export const teamEventsPartition = (teamId: number): string => EventPageEntity.partition({ team_id: teamId });
export const pagePrefix = 'PAGE#';
export const pageKey = (number: number): string => `${pagePrefix}${sortable(number)}`;

const keptSeconds = 30 * 86_400;

/** Whether a page is older than 30 days. TTL deletes pages days later and in any order, so the clock decides. */
export const isExpired = ({ closed_at }: Pick<EventPage, 'closed_at'>, now: number): boolean =>
  closed_at !== null && closed_at + keptSeconds * 1000 <= now;

export const EventPageEntity = defineEntity<EventPage, Pick<EventPage, 'team_id' | 'number'>>({
  name: 'EventPage',
  meaning: "A page of a team's events in the order in which partners read them.",
  patterns: ["a team's last page, with the subscribers (one Query)", "a team's events from a place on"],
  key: { pk: 'TEAM#{team_id}#EVENTS', sk: `${pagePrefix}{number:sortable}` },
  // The last page never expires: the next one is numbered after it.
  expiresAt: ({ closed_at }) => (closed_at === null ? undefined : Math.ceil(closed_at / 1000) + keptSeconds),
  example: { team_id: 1, number: 1 },
});
