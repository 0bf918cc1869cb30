import { instantText } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { FeedEntry } from './event-page.entity.ts';
import {
  cursorOf,
  cursorText,
  type FeedCursor,
  type Placed,
  PlaceLost,
  type Positions,
  readPart,
  type TeamPart,
} from './feed-part.ts';
import { type PartnerEvent, teamForEvent } from './partner-event.schema.ts';

interface Asked {
  after: string | undefined;
  limit: number;
  /** Teams of the key. */
  teams: readonly number[];
}

interface Answer {
  items: PartnerEvent[];
  next_cursor: string;
  has_more: boolean;
}

/**
 * The events of the key's teams from a place on (D62b). Nothing can appear before a cursor that was handed out: a team's entries
 * have their place from the moment they can be read. Teams are merged by time, each in its own order. A cursor that leads to
 * what is no longer kept, or comes from another table than this one (a copy was restored), is CURSOR_OUT_OF_DATE, never a
 * silent gap.
 */
export const readEvents = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  { after, limit, teams }: Asked,
): Promise<Answer> => {
  const before: FeedCursor = after === undefined ? { at: {} } : cursorOf(after);
  const now = clock.now();
  const [epoch, parts] = await Promise.all([
    table.identity(now),
    Promise.all(teams.map((team) => readPart(table, { team, from: before.at[team], limit, now }))).catch(
      lost,
    ),
  ]);
  if (parts === undefined || (before.epoch ?? epoch) !== epoch) throw outOfDate(before, { epoch, now });
  const { items, at, has_more } = merged(parts, { before: before.at, limit, teams });
  const last = items.at(-1);
  const reached = secondsOf(has_more && last ? Date.parse(last.occurred_at) : now);
  // Teams that were not asked about now stay where they were.
  const isPartial = Object.keys(at).length > teams.length;
  const read_to = isPartial ? Math.min(before.read_to ?? reached, reached) : reached;
  return { items, next_cursor: cursorText({ at, epoch, read_to }), has_more };
};

const lost = (error: unknown): undefined => {
  if (!(error instanceof PlaceLost)) throw error;
};

const secondsOf = (ms: number): number => Math.floor(ms / 1000);

/** Where to begin again: at the oldest event that is kept. */
const outOfDate = ({ read_to }: FeedCursor, { epoch, now }: { epoch: string; now: number }): ServiceError =>
  new ServiceError('CURSOR_OUT_OF_DATE', undefined, {
    cursor: cursorText({ at: {}, epoch, read_to: read_to ?? secondsOf(now) }),
    missed_since: read_to === undefined ? null : instantText(read_to * 1000),
  });

interface Merging extends Pick<Asked, 'limit' | 'teams'> {
  before: Positions;
}

/** The entries of all teams by time, until `limit` are told or one team's next entry is not at hand. */
const merged = (parts: readonly TeamPart[], { before, limit, teams }: Merging) => {
  const at: Positions = { ...before };
  for (const { team, position } of parts) at[team] = position;
  const items: PartnerEvent[] = [];
  const waiting = parts.map((part) => ({ ...part, told: 0 }));
  for (;;) {
    const next = earliest(waiting);
    const isUnread = waiting.some(({ placed, told, more }) => more && told === placed.length);
    if (!next || isUnread || items.length === limit)
      return { items, at, has_more: isUnread || next !== undefined };
    const { entry, next: behind } = next.placed[next.told++] as Placed;
    at[next.team] = behind;
    if (teamForEvent(entry.team_ids ?? [next.team], teams) === next.team)
      items.push(toldBy(next.team, entry));
  }
};

type Waiting = TeamPart & { told: number };

const earliest = (waiting: readonly Waiting[]): Waiting | undefined => {
  let found: Waiting | undefined;
  for (const part of waiting)
    if (part.told < part.placed.length && (!found || orderOf(part) < orderOf(found))) found = part;
  return found;
};

const orderOf = ({ placed, told }: Waiting): string => {
  const { occurred_at, id } = (placed[told] as Placed).entry;
  return `${occurred_at} ${id}`;
};

const toldBy = (team_id: number, { event_type, data, id, occurred_at }: FeedEntry): PartnerEvent => ({
  event_type,
  data,
  id,
  occurred_at,
  team_id,
});
