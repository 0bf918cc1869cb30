import { callerRef, type UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { PageOf } from '../../platform/schema.ts';
import type { ChatMessage, ListMessagesQuery } from './chat.schema.ts';
import { pageOfMessages, requireThread } from './chat.store.ts';
import { noteRead } from './unread.ts';

/** The messages of a thread that the caller takes part in (D65); what the caller is shown is read (D91). */
export const listMessages = async (
  ctx: Context<UserCaller>,
  threadId: number, query: ListMessagesQuery,
): Promise<PageOf<ChatMessage>> => {
  const { thread_id } = await requireThread(ctx, threadId, 'read');
  const page = await pageOfMessages(ctx.table, thread_id, query);
  const until = Math.max(0, ...page.items.map(({ id }) => id));
  if (until > 0) await noteRead(ctx.table, { thread_id, reader: callerRef(ctx.caller), until });
  return page;
};
