import { actingTeam, type UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { PageOf } from '../../platform/schema.ts';
import { pageThrough } from '../../platform/table/index.ts';
import { guestThreads, teamThreads, type Thread } from './chat.entity.ts';
import type { ChatThread, ListThreadsQuery } from './chat.schema.ts';
import { shownThread } from './chat.store.ts';

/** The threads of the caller's stays, or of the acting host team; the last written first (D65). */
export const listThreads = async (
  ctx: Context<UserCaller>,
  query: ListThreadsQuery,
): Promise<PageOf<ChatThread>> => {
  const source = isHost(ctx, query)
    ? { index: 'by_team' as const, pk: teamThreads(actingTeam(ctx.caller, ctx.teamHeader, 'read')) }
    : { index: 'by_audience' as const, pk: guestThreads(ctx.caller.user_id) };
  const found = await pageThrough<Thread>(ctx.table, { ...source, descending: true }, query);
  return { ...found, items: found.items.map(shownThread) };
};

const isHost = ({ caller, teamHeader }: Context<UserCaller>, query: ListThreadsQuery): boolean =>
  query.as === undefined
    ? teamHeader !== undefined || caller.memberships.some(({ role }) => role !== 'CUSTOMER')
    : query.as === 'host';
