import { callerRef, type GuestCaller, type PartnerCaller, type UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { PageOf } from '../../platform/schema/schema.ts';
import {
  absent,
  any,
  atMost,
  ConflictError,
  create,
  put,
  retryOnConflict,
  type Table,
} from '../../platform/table/index.ts';
import { accessibleStay, ownStay, seesPersonal } from '../booking/index.ts';
import { guestRef, type Reservation } from '../booking/model.ts';
import type { ChatMessage, ExternalMessage, ListMessagesQuery, SendMessage } from './chat.schema.ts';
import {
  type ChatMark,
  ChatMarkEntity,
  updateThreadWrite,
  withLastMessage,
  markPrefix,
  type Message,
  MessageEntity,
  messagePrefix,
  messageWrites,
  pageOfMessages,
  requireThread,
  presentMessage,
  ThreadEntity,
  threadPartition,
} from './chat.store.ts';
import { newThread, openingMessage, requireStay } from './threads.ts';

/** A thread's last messages, oldest first, with the marks of its members. */
export interface RecentMessages {
  messages: readonly Message[];
  marks: readonly ChatMark[];
}

/** The most messages that a mail contains. */
const maxMailMessages = 50;

export const readRecent = async (table: Table, threadId: number): Promise<RecentMessages> => {
  const pk = threadPartition(threadId);
  const [messages, marks] = await Promise.all([
    table.query(MessageEntity, { pk, prefix: messagePrefix, descending: true, limit: maxMailMessages }),
    table.queryAll(ChatMarkEntity, { pk, prefix: markPrefix }),
  ]);
  return { messages: messages.items.toReversed(), marks };
};

/**
 * Returns the messages of the other side that a member has neither read nor been mailed. A member has read everything
 * before their own last message; guest and partner are one side.
 */
export const unreadBy = (
  { side, ref }: { side: 'guest' | 'host'; ref: string },
  { messages, marks }: RecentMessages,
): Message[] => {
  const isOfGuest = ({ sender_type }: Message) => sender_type === 'GUEST' || sender_type === 'PARTNER';
  const isOwn = (message: Message) =>
    side === 'guest' ? isOfGuest(message) : ref === `user:${message.sender_id}` && !isOfGuest(message);
  const isFromOtherSide = (message: Message) =>
    side === 'guest' ? message.sender_type === 'HOST' : isOfGuest(message);
  const lastKnown = Math.max(
    0,
    ...marks.filter(({ reader }) => reader === ref).map(({ until }) => until),
    ...messages.filter(isOwn).map(({ message_id }) => message_id),
  );
  return messages.filter((message) => isFromOtherSide(message) && message.message_id > lastKnown);
};

/** Records that a reader has seen a thread up to a message; costs one read of the mark if nothing is new. */
export const markRead = async (table: Table, mark: Omit<ChatMark, 'what'>): Promise<void> => {
  const read: ChatMark = { ...mark, what: 'READ' };
  const before = await table.get(ChatMarkEntity, read, { consistent: false });
  if (!before || before.until < mark.until) await advanceMark(table, read);
};

/** Records that a reader was mailed about a thread up to a message. */
export const markMailed = (table: Table, mark: Omit<ChatMark, 'what'>): Promise<void> =>
  advanceMark(table, { ...mark, what: 'MAILED' });

/** Moves a mark forward, never back. */
const advanceMark = async (table: Table, mark: ChatMark): Promise<void> => {
  try {
    await table.put(put(ChatMarkEntity, mark, { when: any(absent(), atMost('until', mark.until)) }));
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
};

/** Returns the messages of a thread that the caller takes part in (D65) and marks them as read (D91). */
export const listMessages = async (
  ctx: Context<UserCaller>,
  threadId: number,
  query: ListMessagesQuery,
): Promise<PageOf<ChatMessage>> => {
  const { thread_id } = await requireThread(ctx, threadId, 'read');
  const page = await pageOfMessages(ctx.table, thread_id, query, async () =>
    openingMessage(await requireStay(ctx.table, thread_id)),
  );
  const until = Math.max(0, ...page.items.map(({ id }) => id));
  if (until > 0) await markRead(ctx.table, { thread_id, reader: callerRef(ctx.caller), until });
  return page;
};

/** Writes a message as guest, or as host of the thread's team (D65). */
export const sendMessage = async (
  ctx: Context<UserCaller>,
  threadId: number,
  input: SendMessage,
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
      [
        updateThreadWrite(thread, message),
        ...(thread.is_unopened ? [opening(await requireStay(ctx.table, thread.thread_id))] : []),
        ...messageWrites(ctx, thread, message),
      ],
      presentMessage(message),
    );
  });

/**
 * Returns the messages about a booking of the key's teams (D65, D92). Names of their
 * writers, except the service's, are for keys that may see them (D93).
 */
export const listExternalMessages = async (
  ctx: Context<PartnerCaller>,
  bookingId: number,
  query: ListMessagesQuery,
): Promise<PageOf<ExternalMessage>> => {
  const stay = await accessibleStay(ctx, bookingId);
  const page = await pageOfMessages(ctx.table, stay.reservation_id, query, () => openingMessage(stay));
  if (seesPersonal(ctx.caller, stay)) return page;
  const nameless = (message: ChatMessage): ExternalMessage =>
    message.sender_type === 'SYSTEM' ? message : { ...message, sender_name: null };
  return { ...page, items: page.items.map(nameless) };
};

/**
 * Writes a message for the guest of a booking that the caller's own key made (D65, D92); FORBIDDEN for other bookings.
 * Opens the thread if it does not exist yet.
 */
export const sendExternalMessage = (
  ctx: Context<PartnerCaller>,
  bookingId: number,
  input: SendMessage,
): Promise<ChatMessage> =>
  retryOnConflict(async () => {
    const stay = await accessibleStay(ctx, bookingId);
    if (stay.key_id !== ctx.caller.key_id)
      throw new ServiceError(
        'FORBIDDEN',
        'Only the key that made the booking may write for its guest; you may read the messages.',
      );
    return sendForGuest(ctx, stay, { sender_type: 'PARTNER', sender_id: null, ...input });
  });

/** Returns the messages about the stay of a guest's link, and marks them as read by its guest (D122). */
export const listStayMessages = async (
  ctx: Context<GuestCaller>,
  query: ListMessagesQuery,
): Promise<PageOf<ChatMessage>> => {
  const stay = await ownStay(ctx);
  const { reservation_id, guest } = stay;
  const page = await pageOfMessages(ctx.table, reservation_id, query, () => openingMessage(stay));
  const until = Math.max(0, ...page.items.map(({ id }) => id));
  if (until > 0) await markRead(ctx.table, { thread_id: reservation_id, reader: guestRef(guest), until });
  return page;
};

/** Writes a message as the guest of a link. Opens the thread if it does not exist yet. */
export const sendStayMessage = (ctx: Context<GuestCaller>, input: SendMessage): Promise<ChatMessage> =>
  retryOnConflict(async () => {
    const stay = await ownStay(ctx);
    return sendForGuest(ctx, stay, { sender_type: 'GUEST', sender_id: stay.guest.user_id, ...input });
  });

const opening = (stay: Reservation) => put(MessageEntity, openingMessage(stay));

const sendForGuest = async (
  ctx: Context,
  stay: Reservation,
  written: Pick<Message, 'sender_type' | 'sender_id' | 'text'>,
): Promise<ChatMessage> => {
  const found = await ctx.table.get(ThreadEntity, { thread_id: stay.reservation_id });
  const thread = found ?? newThread(ctx, stay);
  const message: Message = {
    thread_id: stay.reservation_id,
    message_id: newId(ctx.clock),
    sender_name: stay.guest.full_name,
    created_at: instantText(ctx.clock.now()),
    ...written,
  };
  return ctx.commit(
    [
      found ? updateThreadWrite(found, message) : create(ThreadEntity, withLastMessage(thread, message)),
      ...(thread.is_unopened ? [opening(stay)] : []),
      ...messageWrites(ctx, thread, message),
    ],
    presentMessage(message),
  );
};
