import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { PageOf } from '../../platform/schema.ts';
import { pageThrough } from '../../platform/table/index.ts';
import { type Message, messagePrefix, threadPartition } from './chat.entity.ts';
import type { ChatMessage, ListMessagesQuery } from './chat.schema.ts';
import { requireThread, shownMessage } from './chat.store.ts';

/** The messages of a thread that the caller takes part in (D65). */
export const listMessages = async (
  ctx: Context<UserCaller>,
  { params, query }: { params: { thread_id: number }; query: ListMessagesQuery },
): Promise<PageOf<ChatMessage>> => {
  const { thread_id } = await requireThread(ctx, params.thread_id, 'read');
  const source = {
    pk: threadPartition(thread_id),
    prefix: messagePrefix,
    descending: query.sort_order === 'desc',
  };
  const found = await pageThrough<Message>(ctx.table, source, query);
  return { ...found, items: found.items.map(shownMessage) };
};
