import * as z from 'zod';
import { defineEntity, sortable, defineRecord, type RecordOf } from '../../platform/table/index.ts';
import type { PublicEventType } from '../../events.ts';

/** The type of an event. Stored ones may have types that are no longer emitted. */
export const eventType = () =>
  z.custom<PublicEventType>((value) => typeof value === 'string').meta({ type: 'string' });

/** An event in the feed. */
const FeedEntryRecord = defineRecord(() => ({
  event_type: eventType(),
  data: z.looseObject({ id: z.int() }),
  id: z.string(),
  occurred_at: z.string(),
  /** All teams of the event, if more than one. */
  team_ids: z.array(z.int()).exactOptional(),
  /** For members of the team, and none of its partners: of a stay that another platform has sold (D120). */
  for_members: z.literal(true).exactOptional(),
}));
export type FeedEntry = RecordOf<typeof FeedEntryRecord>;

/**
 * A page of a team's feed (D62b). Pages are numbered from 1 without gaps, and only the last one is open. Each write
 * checks `count` and that the page is open, so nothing can appear before an entry that was read.
 */
const EventPageRecord = defineRecord(() => ({
  team_id: z.int(),
  number: z.int(),
  count: z.int(),
  entries: z.array(FeedEntryRecord()),
  /** Epoch milliseconds at which a later page became the last; null: this is the last. */
  closed_at: z.int().nullable(),
  /** When the page before was closed, where that is later than the clock says or may say: pages are closed in their order. */
  opened_at: z.int().exactOptional(),
}));
export type EventPage = RecordOf<typeof EventPageRecord>;

/** Holds what an event of a team needs in one Query: the subscribers and the last page. */
export const teamEventsPartition = (teamId: number): string => EventPageEntity.partition({ team_id: teamId });
export const pagePrefix = 'PAGE#';
export const pageKey = (number: number): string => `${pagePrefix}${sortable(number)}`;

const keptSeconds = 30 * 86_400;
/** As long as a page is kept once it is closed. */
export const pageKeptMs = keptSeconds * 1000;

/** Whether a page is older than 30 days. TTL deletes pages days later and in any order, so the clock decides. */
export const isExpired = ({ closed_at }: Pick<EventPage, 'closed_at'>, now: number): boolean =>
  closed_at !== null && closed_at + pageKeptMs <= now;

export const EventPageEntity = defineEntity<EventPage, Pick<EventPage, 'team_id' | 'number'>>({
  name: 'EventPage',
  meaning: "A page of a team's events in the order in which partners read them.",
  patterns: ["a team's last page, with the subscribers (one Query)", "a team's events from a place on"],
  record: EventPageRecord,
  key: { pk: 'TEAM#{team_id}#EVENTS', sk: `${pagePrefix}{number:sortable}` },
  // The last page never expires: the next one is numbered after it.
  expiresAt: ({ closed_at }) => (closed_at === null ? undefined : Math.ceil(closed_at / 1000) + keptSeconds),
  example: { team_id: 1, number: 1 },
});
