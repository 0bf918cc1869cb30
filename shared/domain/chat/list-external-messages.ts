import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { PageOf } from '../../platform/schema.ts';
import { accessibleStay } from '../booking/index.ts';
import type { ChatMessage, ListMessagesQuery } from './chat.schema.ts';
import { pageOfMessages } from './chat.store.ts';

/** The messages about a booking of the key's teams (D65, D92); none yet while its thread is being opened. */
export const listExternalMessages = async (
  ctx: Context<PartnerCaller>,
  bookingId: number, query: ListMessagesQuery,
): Promise<PageOf<ChatMessage>> => {
  const { reservation_id } = await accessibleStay(ctx, bookingId);
  return pageOfMessages(ctx.table, reservation_id, query);
};
