import { isDeepStrictEqual } from 'node:util';
import { actingTeam } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context, Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { FeedEntry } from './event-page.entity.ts';
import {
  cursorOf,
  cursorText,
  type FeedCursor,
  latestPart,
  type Placed,
  PositionLost,
  type Positions,
  readPart,
  type TeamPart,
} from './feed-part.ts';
import { type PartnerEvent, teamForEvent } from './partner-event.schema.ts';

interface ReadRequest {
  /** A cursor, or {@link latest}; undefined: from the oldest entry on. */
  after: string | undefined;
  limit: number;
  /** Teams of the key, or the one that a member acts for. */
  teams: readonly number[];
  /** A member of the team reads: it has what partners do not see. */
  isMember?: true;
}

/** Begins behind everything that there is. */
const latest = 'latest';

interface EventsPage {
  items: PartnerEvent[];
  next_cursor: string;
  has_more: boolean;
}

/**
 * Returns the events of teams after a position (D62b). Nothing can appear before a returned cursor. Teams are
 * merged by time, each in its own order. A page that says `has_more` leads on from the cursor. Throws CURSOR_OUT_OF_DATE if entries after the cursor have expired, or if it
 * belongs to another table, such as one restored from a backup.
 */
export const readEvents = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  { after, limit, teams, isMember }: ReadRequest,
): Promise<EventsPage> => {
  const before: FeedCursor = after === undefined || after === latest ? { at: {} } : cursorOf(after);
  const now = clock.now();
  const partOf = (team: number): Promise<TeamPart> =>
    after === latest ? latestPart(table, team) : readPart(table, { team, from: before.at[team], limit, now });
  const [epoch, parts] = await Promise.all([
    table.identity(now),
    Promise.all(teams.map(partOf)).catch(lostPosition),
  ]);
  if ((before.epoch ?? epoch) !== epoch) throw outOfDate(before, {}, { epoch, now });
  if (parts instanceof PositionLost) throw outOfDate(before, restart(before.at, parts), { epoch, now });
  const { items, at, isMore } = mergeParts(parts, { before: before.at, limit, teams, isMember });
  // What is not visible yet is there for the next poll: a page that leads nowhere is the last for now.
  const leadsOn = isMore && !isDeepStrictEqual(at, before.at);
  const last = items.at(-1);
  const reached = secondsOf(leadsOn && last ? Date.parse(last.occurred_at) : now);
  // Teams that are not part of this request keep their positions.
  const isPartial = Object.keys(at).length > teams.length;
  const readTo = isPartial ? Math.min(before.read_to ?? reached, reached) : reached;
  return { items, next_cursor: cursorText({ at, epoch, read_to: readTo }), has_more: leadsOn };
};

const lostPosition = (error: unknown): PositionLost => {
  if (!(error instanceof PositionLost)) throw error;
  return error;
};

/** Returns the events of the team that a member acts for, as its partners see them (D125), and those of platforms' stays. */
export const readTeamEvents = (
  ctx: Context,
  asked: Pick<ReadRequest, 'after' | 'limit'>,
): Promise<EventsPage> =>
  readEvents(ctx, {
    ...asked,
    teams: [actingTeam(ctx.caller, ctx.teamHeader, 'read')],
    isMember: true,
  });

/** Behind what is gone, so that a reader never comes to the same place again; else at the oldest event. */
const restart = (at: Positions, { team, next }: PositionLost): Positions =>
  next ? { ...at, [team]: next } : {};

const secondsOf = (ms: number): number => Math.floor(ms / 1000);

/** Returns the error with a cursor to restart from. */
const outOfDate = (
  { read_to }: FeedCursor,
  at: Positions,
  { epoch, now }: { epoch: string; now: number },
): ServiceError =>
  new ServiceError('CURSOR_OUT_OF_DATE', undefined, {
    cursor: cursorText({ at, epoch, read_to: read_to ?? secondsOf(now) }),
    missed_since: read_to === undefined ? null : instantText(read_to * 1000),
  });

interface MergeInput extends Pick<ReadRequest, 'limit' | 'teams'> {
  isMember: true | undefined;
  before: Positions;
}

/** Merges the entries of all teams by time, up to `limit` or until the next entry of a team is not loaded. */
const mergeParts = (parts: readonly TeamPart[], { before, limit, teams, isMember }: MergeInput) => {
  const at: Positions = { ...before };
  for (const { team, position } of parts) at[team] = position;
  const items: PartnerEvent[] = [];
  const waiting = parts.map((part) => ({ ...part, returned: 0 }));
  for (;;) {
    const next = earliest(waiting);
    const isUnread = waiting.some(({ placed, returned, more }) => more && returned === placed.length);
    if (!next || isUnread || items.length === limit)
      return { items, at, isMore: isUnread || next !== undefined };
    const { entry, next: behind } = next.placed[next.returned++] as Placed;
    at[next.team] = behind;
    const isShown = isMember || !entry.for_members;
    if (isShown && teamForEvent(entry.team_ids ?? [next.team], teams) === next.team)
      items.push(partnerEventOf(next.team, entry));
  }
};

type Waiting = TeamPart & { returned: number };

const earliest = (waiting: readonly Waiting[]): Waiting | undefined => {
  let found: Waiting | undefined;
  for (const part of waiting)
    if (part.returned < part.placed.length && (!found || orderOf(part) < orderOf(found))) found = part;
  return found;
};

const orderOf = ({ placed, returned }: Waiting): string => {
  const { occurred_at, id } = (placed[returned] as Placed).entry;
  return `${occurred_at} ${id}`;
};

const partnerEventOf = (teamId: number, { event_type, data, id, occurred_at }: FeedEntry): PartnerEvent => ({
  event_type,
  data,
  id,
  occurred_at,
  team_id: teamId,
});
