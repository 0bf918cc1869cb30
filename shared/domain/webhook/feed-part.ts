import { createHash } from 'node:crypto';
import * as z from 'zod';
import { invalid } from '../../platform/errors.ts';
import type { Table } from '../../platform/table/index.ts';
import {
  type EventPage,
  EventPageEntity,
  type FeedEntry,
  isPast,
  pageKey,
  pagePrefix,
  teamEventsPartition,
} from './event-page.entity.ts';

/** A place in a team's feed: in which page, and how many of its entries come before. */
export const Position = z.tuple([z.int().min(1), z.int().min(0)]);
export type Position = z.infer<typeof Position>;

/** A place in the feed of each team that was asked about. */
export type Positions = Record<string, Position>;

/** A place in the feed as a partner keeps it. The older ones name neither a table nor a time. */
const FeedCursor = z.object({
  at: z.record(z.string().regex(/^[1-9]\d{0,15}$/), Position),
  /** The table that the places are in. */
  epoch: z.string().optional(),
  /** Epoch seconds up to which all that happened has been read. */
  read_to: z.int().min(0).optional(),
});
export type FeedCursor = z.infer<typeof FeedCursor>;

const Sealed = FeedCursor.extend({ of: z.string() });

const digest = ({ at, epoch, read_to }: FeedCursor): string =>
  createHash('sha256')
    .update(JSON.stringify(epoch === undefined ? at : [at, epoch, read_to]))
    .digest('base64url')
    .slice(0, 11);

/** A cursor as a text that means nothing outside. */
export const cursorText = (cursor: FeedCursor): string =>
  Buffer.from(JSON.stringify({ of: digest(cursor), ...cursor })).toString('base64url');

/** The cursor of a text; VALIDATION_ERROR at `after` when it is none of ours, or has been changed. */
export const cursorOf = (text: string): FeedCursor => {
  const sealed = Sealed.safeParse(jsonOf(Buffer.from(text, 'base64url').toString()));
  if (sealed.success) {
    const { of, ...cursor } = sealed.data;
    if (of === digest(cursor)) return cursor;
  }
  throw invalid({ path: 'after', message: 'after is not the next_cursor of an answer' });
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** An entry, with the place behind it. */
export interface Placed {
  entry: FeedEntry;
  next: Position;
}

export interface TeamPart {
  team: number;
  /** Where the reading began, and where pages without an unread entry have led. */
  position: Position;
  placed: Placed[];
  /** There may be entries behind those of `placed`. */
  more: boolean;
}

/** What of a team's feed is asked for. */
interface PartAsked {
  team: number;
  /** Undefined: from the oldest entry that is kept. */
  from: Position | undefined;
  limit: number;
  now: number;
}

/** The place does not lead on: what came behind it is no longer kept, or this table has never had it. */
export class PlaceLost extends Error {
  constructor({ team }: Pick<PartAsked, 'team'>) {
    super(`the place in the feed of team ${team} is lost`);
    this.name = 'PlaceLost';
  }
}

const firstPlace: Position = [1, 0];

/**
 * Up to `limit` entries of a team and one more. Pages follow each other without a gap in their numbers, and the reading ends
 * at a page that is open: one that is read behind it may have come between two requests, when the open one had grown and
 * closed. {@link PlaceLost} when what is behind the place is older than what is kept, swept or not, or is not there.
 */
export const readPart = async (table: Table, asked: PartAsked): Promise<TeamPart> => {
  const { team, from, limit, now } = asked;
  const part: TeamPart = { team, position: from ?? firstPlace, placed: [], more: true };
  let expected = from;
  for await (const page of pagesFrom(table, asked)) {
    if (!expected && isPast(page, now)) continue;
    const place = expected ?? [page.number, 0];
    if (!leadsOn(page, place, now)) {
      if (part.placed.length === 0) throw new PlaceLost(asked);
      return part;
    }
    reach(part, place);
    part.placed.push(...entriesOf(page, place));
    if (page.closed_at === null) return { ...part, more: false };
    if (part.placed.length > limit) return part;
    expected = [page.number + 1, 0];
  }
  // The last page is never swept: where none is left there has been none, or the place is of another table.
  if (from && expected === from && !isFirst(from)) throw new PlaceLost(asked);
  return { ...part, more: false };
};

/** A page is known to follow once it was read: until then the place is behind the entries of the one before. */
const reach = (part: TeamPart, place: Position): void => {
  const last = part.placed.at(-1);
  if (last) last.next = place;
  else part.position = place;
};

const isFirst = ([number, seen]: Position): boolean => number === firstPlace[0] && seen === firstPlace[1];

const leadsOn = (page: EventPage, [number, seen]: Position, now: number): boolean =>
  page.number === number && page.count >= seen && (page.count === seen || !isPast(page, now));

async function* pagesFrom(table: Table, { team, from, limit }: PartAsked): AsyncGenerator<EventPage> {
  const [number] = from ?? firstPlace;
  let after: Record<string, unknown> | undefined;
  do {
    const found = await table.query(EventPageEntity, {
      pk: teamEventsPartition(team),
      from: pageKey(number),
      to: `${pagePrefix}~`,
      // Two or three entries are a page.
      limit: Math.ceil(limit / 2) + 1,
      after,
    });
    yield* found.items;
    after = found.next;
  } while (after);
}

const entriesOf = ({ entries }: EventPage, [number, seen]: Position): Placed[] =>
  entries.slice(seen).map((entry, at) => ({ entry, next: [number, seen + at + 1] }));
