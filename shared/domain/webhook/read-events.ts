import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import type { Table } from '../../platform/table/index.ts';
import {
  type EventPage,
  type FeedEntry,
  pageKey,
  pagePrefix,
  teamEventsPartition,
} from './event-page.entity.ts';
import { cursorText, type Position, type Positions, positionsOf } from './feed-cursor.ts';
import { tellingTeam } from './partner-event.ts';
import type { PartnerEvent } from './partner-event.schema.ts';

interface Asked {
  after: string | undefined;
  limit: number;
  /** Teams of the key. */
  teams: readonly number[];
}

/** An entry, with the place behind it. */
interface Placed {
  entry: FeedEntry;
  next: Position;
}

interface TeamPart {
  team: number;
  /** Where the reading began, and where a page that is full for good has led without an entry. */
  position: Position;
  placed: Placed[];
  /** There are entries behind those of `placed`. */
  more: boolean;
}

/**
 * The events of the key's teams from a place on (D62b). Nothing can appear before a cursor that was handed out: a team's entries
 * have their place from the moment they can be read. Teams are merged by time, each in its own order. A cursor that points to
 * what is no longer kept is VALIDATION_ERROR at `after`, never a silent gap.
 */
export const readEvents = async (
  { table }: Pick<Context<PartnerCaller>, 'table'>,
  { after, limit, teams }: Asked,
): Promise<{ items: PartnerEvent[]; next_cursor: string; has_more: boolean }> => {
  const before = after === undefined ? {} : positionsOf(after);
  const parts = await Promise.all(teams.map((team) => readPart(table, team, before[team], limit)));
  const positions: Positions = { ...before };
  for (const { team, position } of parts) positions[team] = position;
  const items: PartnerEvent[] = [];
  const waiting = parts.map((part) => ({ ...part, at: 0 }));
  for (;;) {
    const next = earliest(waiting);
    const isUnread = waiting.some(({ placed, at, more }) => more && at === placed.length);
    if (!next || isUnread || items.length === limit)
      return { items, next_cursor: cursorText(positions), has_more: isUnread || next !== undefined };
    const { entry, next: behind } = next.placed[next.at++] as Placed;
    positions[next.team] = behind;
    if (tellingTeam(entry.team_ids ?? [next.team], teams) === next.team) items.push(toldBy(next.team, entry));
  }
};

type Waiting = TeamPart & { at: number };

const earliest = (waiting: readonly Waiting[]): Waiting | undefined => {
  let found: Waiting | undefined;
  for (const part of waiting)
    if (part.at < part.placed.length && (!found || orderOf(part) < orderOf(found))) found = part;
  return found;
};

const orderOf = ({ placed, at }: Waiting): string => {
  const { occurred_at, id } = (placed[at] as Placed).entry;
  return `${occurred_at} ${id}`;
};

const toldBy = (team_id: number, { event_type, data, id, occurred_at }: FeedEntry): PartnerEvent => ({
  event_type,
  data,
  id,
  occurred_at,
  team_id,
});

const first: Position = [1, 0];

/** Up to `limit` entries of a team and one more, which says that there is more. */
const readPart = async (
  table: Table,
  team: number,
  from: Position | undefined,
  limit: number,
): Promise<TeamPart> => {
  const [number, seen] = from ?? first;
  const placed: Placed[] = [];
  let position = from ?? first;
  let isFirst = true;
  let after: Record<string, unknown> | undefined;
  do {
    const found = await table.query({
      pk: teamEventsPartition(team),
      from: pageKey(number),
      to: `${pagePrefix}~`,
      // Two or three entries are a page.
      limit: Math.ceil(limit / 2) + 1,
      ...(after ? { after } : {}),
    });
    for (const page of found.items as unknown as EventPage[]) {
      if (isFirst && from && page.number > number) throw tooOld();
      placed.push(...entriesOf(page, isFirst && page.number === number ? seen : 0));
      if (placed.length === 0)
        position = page.closed_at === null ? [page.number, page.count] : [page.number + 1, 0];
      isFirst = false;
    }
    after = found.next;
  } while (after && placed.length <= limit);
  const more = after !== undefined || placed.length > limit + 1;
  return { team, position, placed: placed.slice(0, limit + 1), more };
};

/** Behind the last entry of a page that has closed, the next page begins. */
const entriesOf = ({ number, count, entries, closed_at }: EventPage, seen: number): Placed[] =>
  entries.slice(seen).map((entry, at) => {
    const behind = seen + at + 1;
    return { entry, next: behind === count && closed_at !== null ? [number + 1, 0] : [number, behind] };
  });

const tooOld = (): Error =>
  invalid({
    path: 'after',
    message:
      'after is older than the 30 days that events are kept: begin without it, and compare what you have',
  });
