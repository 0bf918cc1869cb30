import type { UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import type { Message } from './chat.entity.ts';
import type { ChatMessage, SendMessage } from './chat.schema.ts';
import { follow, messageWrites, requireThread, shownMessage } from './chat.store.ts';

/** Writes a message as guest, or as host of the thread's team; the thread moves to the top of both sides' lists (D65). */
export const sendMessage = async (
  ctx: Context<UserCaller>,
  threadId: number, input: SendMessage,
): Promise<ChatMessage> =>
  retryOnConflict(async () => {
    const { caller } = ctx;
    const thread = await requireThread(ctx, threadId, 'operate');
    const message: Message = {
      thread_id: thread.thread_id,
      message_id: newId(ctx.clock),
      sender_type: thread.guest.user_id === caller.user_id ? 'GUEST' : 'HOST',
      sender_id: caller.user_id,
      sender_name: caller.full_name,
      text: input.text,
      created_at: instantText(ctx.clock.now()),
    };
    return ctx.commit(
      [follow(thread, message), ...messageWrites(ctx, thread, message)],
      shownMessage(message),
    );
  });
