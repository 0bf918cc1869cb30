import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { PageOf } from '../../platform/schema.ts';
import type { ChatMessage, ListMessagesQuery } from './chat.schema.ts';
import { pageOfMessages, requireThread } from './chat.store.ts';

/** The messages of a thread that the caller takes part in (D65). */
export const listMessages = async (
  ctx: Context<UserCaller>,
  { params, query }: { params: { thread_id: number }; query: ListMessagesQuery },
): Promise<PageOf<ChatMessage>> => {
  const { thread_id } = await requireThread(ctx, params.thread_id, 'read');
  return pageOfMessages(ctx.table, thread_id, query);
};
