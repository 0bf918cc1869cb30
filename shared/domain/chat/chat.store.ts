import * as z from 'zod';
import {
  isHostOf,
  hasPermission,
  type Permission,
  roleRefused,
  type UserCaller,
} from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { PageOf } from '../../platform/schema/schema.ts';
import {
  create,
  defineEntity,
  equals,
  paginate,
  put,
  type Table,
  type Write,
  defineRecord,
  type RecordOf,
} from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import type { ChatMessage, ChatThread, ListMessagesQuery } from './chat.schema.ts';

const senders = ['SYSTEM', 'GUEST', 'HOST', 'PARTNER'] as const;

/** A thread as stored. Its id is the booking's. */
const ThreadRecord = defineRecord(() => ({
  thread_id: z.int(),
  booking_id: z.int(),
  master_reservation_id: z.int(),
  team_id: z.int(),
  listing_id: z.int(),
  listing_name: z.string(),
  /** Another platform has sold the stay (D120). */
  of_platform: z.literal(true).exactOptional(),
  guest: z.object({ user_id: z.int().nullable(), full_name: z.string() }),
  last_message: z.object({ sender_type: z.enum(senders), text: z.string(), created_at: z.string() }),
  /** No one has written yet: the message that sums the booking up is stored with the first one, or at the first look. */
  is_unopened: z.literal(true).exactOptional(),
  /** Checked and incremented by each message. */
  version: z.int(),
  /** UTC. */
  created_at: z.string(),
}));
export type Thread = RecordOf<typeof ThreadRecord>;

export const threadPartition = (threadId: number): string => ThreadEntity.partition({ thread_id: threadId });
export const teamThreads = (teamId: number): string => ThreadEntity.partition({ team_id: teamId }, 'by_team');
export const guestThreads = (userId: number): string => `GUEST#${userId}#CHATS`;

export const ThreadEntity = defineEntity<Thread, Pick<Thread, 'thread_id'>>({
  name: 'ChatThread',
  meaning: 'The conversation about a booking, between guest and host team.',
  patterns: [
    'a thread by its id, which is the booking’s',
    "a team's threads, the last written first",
    "a guest's threads, the last written first",
  ],
  record: ThreadRecord,
  key: { pk: 'CHAT#{thread_id}', sk: 'THREAD' },
  indexes: [
    { index: 'by_team', pk: 'TEAM#{team_id}#CHATS', sk: '{last_message.created_at}#{thread_id:sortable}' },
    {
      index: 'by_audience',
      pk: 'GUEST#{guest.user_id}#CHATS',
      sk: '{last_message.created_at}#{thread_id:sortable}',
      when: { says: 'with an account', holds: ({ guest }) => guest.user_id !== null },
    },
  ],
  example: { thread_id: 17 },
});

/** How far a member of a thread has read it, or was mailed about it (D91). */
const ChatMarkRecord = defineRecord(() => ({
  thread_id: z.int(),
  /** `user:<id>`, or `mail:<address>` of a guest without an account. */
  reader: z.string(),
  what: z.enum(['READ', 'MAILED']),
  /** The last message that it includes. */
  until: z.int(),
}));
export type ChatMark = RecordOf<typeof ChatMarkRecord>;

export const markPrefix = 'MARK#';

export const ChatMarkEntity = defineEntity<ChatMark, Omit<ChatMark, 'until'>>({
  name: 'ChatMark',
  meaning: 'How far a member of a thread has read it, or was written to about it.',
  patterns: ['the marks of a thread', 'how far a reader has come'],
  record: ChatMarkRecord,
  key: { pk: 'CHAT#{thread_id}', sk: `${markPrefix}{what}#{reader}` },
  example: { thread_id: 17, reader: 'user:5', what: 'READ' },
});

/** A message as stored. */
const MessageRecord = defineRecord(() => ({
  message_id: z.int(),
  thread_id: z.int(),
  sender_type: z.enum(senders),
  sender_id: z.int().nullable(),
  sender_name: z.string(),
  text: z.string(),
  /** UTC. */
  created_at: z.string(),
}));
export type Message = RecordOf<typeof MessageRecord>;

export const messagePrefix = 'MESSAGE#';

export const MessageEntity = defineEntity<Message, Pick<Message, 'thread_id' | 'message_id'>>({
  name: 'ChatMessage',
  meaning: 'A message of a thread.',
  patterns: ['the messages of a thread in the order they were written'],
  record: MessageRecord,
  key: { pk: 'CHAT#{thread_id}', sk: `${messagePrefix}{message_id:sortable}` },
  example: { thread_id: 17, message_id: 99 },
});

/** Returns a thread that the caller takes part in, as guest or as host of its team; not found for others (D9). */
export const requireThread = async (
  { table, caller }: Pick<Context<UserCaller>, 'table' | 'caller'>,
  threadId: number,
  permission: Permission,
): Promise<Thread> => {
  const thread = await table.get(ThreadEntity, { thread_id: threadId });
  const isGuest = thread?.guest.user_id === caller.user_id;
  if (!thread || (!isGuest && !isHostOf(caller, thread.team_id)))
    throw new ServiceError('NOT_FOUND', 'There is no such chat.');
  if (!isGuest && !hasPermission(caller, permission, thread.team_id)) throw roleRefused();
  return thread;
};

/** Returns the writes of a new message: the item and its event. */
export const messageWrites = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  thread: Pick<Thread, 'booking_id' | 'team_id' | 'of_platform'>,
  message: Message,
): Write[] => [
  create(MessageEntity, message),
  recordEvent(ctx, {
    subject: threadPartition(message.thread_id),
    event_type: 'chat.message_created',
    team_id: thread.team_id,
    data: {
      id: message.message_id,
      thread_id: message.thread_id,
      booking_id: thread.booking_id,
      sender_type: message.sender_type,
      ...(thread.of_platform ? { of_platform: true as const } : {}),
    },
  }),
];

/** Returns the thread after a new message, at the top of both sides' lists. */
export const withLastMessage = ({ is_unopened: _, ...thread }: Thread, message: Message): Thread => ({
  ...thread,
  last_message: previewOf(message),
  version: thread.version + 1,
});

/** Returns the same as a write, which conflicts with a concurrent message. */
export const updateThreadWrite = (thread: Thread, message: Message): Write =>
  put(ThreadEntity, withLastMessage(thread, message), { when: equals('version', thread.version) });

const previewCharacters = 200;

/** Returns the preview of a message that its thread shows. */
export const previewOf = ({ sender_type, text, created_at }: Message): Thread['last_message'] => ({
  sender_type,
  text: Array.from(text).slice(0, previewCharacters).join(''),
  created_at,
});

/** Returns a thread with its published id; the reply schema drops internal fields. */
export const presentThread = (thread: Thread): ChatThread => ({ ...thread, id: thread.thread_id });

export const presentMessage = (message: Message): ChatMessage => ({ ...message, id: message.message_id });

/** Returns one page of a thread's messages, with the one that `opening` returns if there is none. Without an access check. */
export const pageOfMessages = async (
  table: Table,
  threadId: number,
  query: ListMessagesQuery,
  opening: () => Promise<Message> | Message,
): Promise<PageOf<ChatMessage>> => {
  const source = {
    pk: threadPartition(threadId),
    prefix: messagePrefix,
    descending: query.sort_order === 'desc',
  };
  const read = () => paginate(table, MessageEntity, source, query);
  let found = await read();
  if (found.total === 0) {
    await table.put(put(MessageEntity, await opening()));
    found = await read();
  }
  return { ...found, items: found.items.map(presentMessage) };
};
