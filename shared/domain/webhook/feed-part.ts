import { createHash } from 'node:crypto';
import * as z from 'zod';
import { invalid } from '../../platform/errors.ts';
import { absent, conditionCheck, ConflictError, type Table } from '../../platform/table/index.ts';
import {
  type EventPage,
  EventPageEntity,
  type FeedEntry,
  isExpired,
  pageKey,
  pagePrefix,
  teamEventsPartition,
} from './event-page.entity.ts';

/** A position in a team's feed: the page, and the number of its entries before it. */
export const Position = z.tuple([z.int().min(1), z.int().min(0)]);
export type Position = z.infer<typeof Position>;

/** Positions by team. */
export type Positions = Record<string, Position>;

/** The decoded cursor of a partner. Older ones have neither epoch nor time. */
const FeedCursor = z.object({
  at: z.record(z.string().regex(/^[1-9]\d{0,15}$/), Position),
  /** The table that the positions belong to. */
  epoch: z.string().optional(),
  /** Epoch seconds up to which everything has been read. */
  read_to: z.int().min(0).optional(),
});
export type FeedCursor = z.infer<typeof FeedCursor>;

const Sealed = FeedCursor.extend({ of: z.string() });

const digest = ({ at, epoch, read_to }: FeedCursor): string =>
  createHash('sha256')
    .update(JSON.stringify(epoch === undefined ? at : [at, epoch, read_to]))
    .digest('base64url')
    .slice(0, 11);

/** Encodes a cursor as an opaque text. */
export const cursorText = (cursor: FeedCursor): string =>
  Buffer.from(JSON.stringify({ of: digest(cursor), ...cursor })).toString('base64url');

/** Decodes a cursor; throws VALIDATION_ERROR at `after` for a text that is invalid or was changed. */
export const cursorOf = (text: string): FeedCursor => {
  const sealed = Sealed.safeParse(jsonOf(Buffer.from(text, 'base64url').toString()));
  if (sealed.success) {
    const { of, ...cursor } = sealed.data;
    if (of === digest(cursor)) return cursor;
  }
  throw invalid({ path: 'after', message: 'must be the next_cursor of a response' });
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** An entry with the position after it. */
export interface Placed {
  entry: FeedEntry;
  next: Position;
}

export interface TeamPart {
  team: number;
  /** Where the reading started, or where pages without unread entries have led. */
  position: Position;
  placed: Placed[];
  /** There may be entries after those of `placed`. */
  more: boolean;
}

/** A request for part of a team's feed. */
interface PartRequest {
  team: number;
  /** Undefined: from the oldest stored entry. */
  from: Position | undefined;
  limit: number;
  now: number;
}

/** The entries after the position have expired, or were never in this table. */
export class PositionLost extends Error {
  readonly team: number;
  /** The first entry behind those that are gone; undefined: the oldest that is kept. */
  readonly next: Position | undefined;

  constructor({ team }: Pick<PartRequest, 'team'>, next?: Position) {
    super(`the position in the feed of team ${team} is no longer valid`);
    this.name = 'PositionLost';
    this.team = team;
    this.next = next;
  }
}

const firstPosition: Position = [1, 0];

/**
 * Reads up to `limit` entries of a team and one more. Pages have consecutive numbers, and the reading ends at an open
 * page: a later one may have been added between two requests, after the open one had grown and closed. Throws {@link
 * PositionLost} if the entries after the position have expired, deleted or not, or do not exist.
 */
export const readPart = async (table: Table, request: PartRequest): Promise<TeamPart> => {
  const { team, from, limit, now } = request;
  const part: TeamPart = { team, position: from ?? firstPosition, placed: [], more: true };
  let expected = from;
  for await (const page of pagesFrom(table, request)) {
    if (!expected && isExpired(page, now)) continue;
    const position = expected ?? [page.number, 0];
    if (mayBeBehindMissing(page, expected, now) && !(await isGone(table, page))) return part;
    if (!isContinuous(page, position, now)) {
      if (part.placed.length > 0) return part;
      const isBehind = page.number > position[0] && !isExpired(page, now);
      throw new PositionLost(request, isBehind ? [page.number, 0] : undefined);
    }
    advance(part, position);
    part.placed.push(...entriesOf(page, position));
    if (page.closed_at === null) return { ...part, more: false };
    if (part.placed.length > limit) return part;
    expected = [page.number + 1, 0];
  }
  // The last page never expires: without any page there was none, or the position is of another table.
  if (from && expected === from && !isFirst(from)) throw new PositionLost(request);
  return { ...part, more: false };
};

/** Returns the place behind the newest entry of a team. The last page never expires: without one there was no event yet. */
export const latestPart = async (table: Table, team: number): Promise<TeamPart> => {
  const { items } = await table.query(EventPageEntity, {
    pk: teamEventsPartition(team),
    from: pagePrefix,
    to: `${pagePrefix}~`,
    descending: true,
    limit: 1,
  });
  const [last] = items;
  const position: Position = last ? [last.number, last.count] : firstPosition;
  return { team, position, placed: [], more: false };
};

/** Moves the position to the next page once that was read; until then it is after the entries of the page before. */
const advance = (part: TeamPart, position: Position): void => {
  const last = part.placed.at(-1);
  if (last) last.next = position;
  else part.position = position;
};

const isFirst = ([number, seen]: Position): boolean =>
  number === firstPosition[0] && seen === firstPosition[1];

/**
 * Whether the page before this one may be not visible yet: pages of one transaction become visible in any order. By the clock
 * it cannot have expired, since it was closed when this one was added.
 */
const mayBeBehindMissing = (page: EventPage, expected: Position | undefined, now: number): boolean => {
  const [number] = expected ?? firstPosition;
  const [first] = page.entries;
  return (
    page.number > number &&
    first !== undefined &&
    !isExpired({ closed_at: Date.parse(first.occurred_at) }, now)
  );
};

/**
 * Whether the page before this one was deleted, whatever the clock says: it may have been turned back. A transaction is
 * serializable, so it sees a page that was added with a visible one.
 */
const isGone = async (table: Table, { team_id, number }: EventPage): Promise<boolean> => {
  const before = { team_id, number: number - 1 };
  try {
    await table.transact([conditionCheck(EventPageEntity, before, { when: absent() })]);
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
};

const isContinuous = (page: EventPage, [number, seen]: Position, now: number): boolean =>
  page.number === number && page.count >= seen && (page.count === seen || !isExpired(page, now));

async function* pagesFrom(table: Table, { team, from, limit }: PartRequest): AsyncGenerator<EventPage> {
  const [number] = from ?? firstPosition;
  let after: Record<string, unknown> | undefined;
  do {
    const found = await table.query(EventPageEntity, {
      pk: teamEventsPartition(team),
      from: pageKey(number),
      to: `${pagePrefix}~`,
      // A page has two or three entries.
      limit: Math.ceil(limit / 2) + 1,
      after,
    });
    yield* found.items;
    after = found.next;
  } while (after);
}

const entriesOf = ({ entries }: EventPage, [number, seen]: Position): Placed[] =>
  entries.slice(seen).map((entry, at) => ({ entry, next: [number, seen + at + 1] }));
