import type { PartnerCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { create, retryOnConflict } from '../../platform/table/index.ts';
import { accessibleStay } from '../booking/index.ts';
import { type Message, ThreadEntity } from './chat.entity.ts';
import type { ChatMessage, SendMessage } from './chat.schema.ts';
import { follow, followedBy, messageWrites, shownMessage } from './chat.store.ts';
import { newThread } from './new-thread.ts';

/**
 * Writes a message for the guest of a booking that the caller's own key made (D65, D92); FORBIDDEN for any other, whose guest
 * did not choose this partner to speak. The thread is opened if its booking is so new that it has none.
 */
export const sendExternalMessage = (
  ctx: Context<PartnerCaller>,
  bookingId: number, input: SendMessage,
): Promise<ChatMessage> =>
  retryOnConflict(async () => {
    const stay = await accessibleStay(ctx, bookingId);
    if (stay.key_id !== ctx.caller.key_id)
      throw new ServiceError(
        'FORBIDDEN',
        'Only the key that made a booking writes for its guest; you may read the messages.',
      );
    const found = await ctx.table.get(ThreadEntity, { thread_id: stay.reservation_id });
    const { thread, writes } = found ? { thread: found, writes: [] } : newThread(ctx, stay);
    const message: Message = {
      thread_id: stay.reservation_id,
      message_id: newId(ctx.clock),
      sender_type: 'PARTNER',
      sender_id: null,
      sender_name: stay.guest.full_name,
      text: input.text,
      created_at: instantText(ctx.clock.now()),
    };
    return ctx.commit(
      [
        found ? follow(found, message) : create(ThreadEntity, followedBy(thread, message)),
        ...writes,
        ...messageWrites(ctx, thread, message),
      ],
      shownMessage(message),
    );
  });
