import { defineEntity, sortable } from '../../platform/table/index.ts';
import type { ChatMessage, ChatThread } from './chat.schema.ts';

/** A thread as stored. Its id is the booking's own, so either leads to the other without a read. */
export type Thread = Omit<ChatThread, 'id'> & {
  thread_id: number;
  /** Every message checks and bumps it. */
  version: number;
};

export const threadPartition = (threadId: number): string => `CHAT#${threadId}`;
export const teamThreads = (teamId: number): string => `TEAM#${teamId}#CHATS`;
export const guestThreads = (userId: number): string => `GUEST#${userId}#CHATS`;

export const ThreadEntity = defineEntity<Thread, Pick<Thread, 'thread_id'>>({
  name: 'ChatThread',
  meaning: 'The conversation about a booking, between guest and host team.',
  patterns: [
    'a thread by its id, which is the booking’s',
    "a team's threads, the last written first",
    "a guest's threads, the last written first",
  ],
  key: ({ thread_id }) => ({ pk: threadPartition(thread_id), sk: 'THREAD' }),
  indexes: ({ thread_id, team_id, guest, last_message }) => {
    const sk = `${last_message.created_at}#${sortable(thread_id)}`;
    return {
      by_team: { pk: teamThreads(team_id), sk },
      ...(guest.user_id === null ? {} : { by_audience: { pk: guestThreads(guest.user_id), sk } }),
    };
  },
  example: { thread_id: 17 },
});

/** How far a member of a thread has read it, or was written to about it (D91). */
export interface ChatMark {
  thread_id: number;
  /** `user:<id>`, or `mail:<address>` of a guest without an account. */
  reader: string;
  what: 'READ' | 'MAILED';
  /** The last message that it holds for. */
  until: number;
}

export const markPrefix = 'MARK#';

export const ChatMarkEntity = defineEntity<ChatMark, Omit<ChatMark, 'until'>>({
  name: 'ChatMark',
  meaning: 'How far a member of a thread has read it, or was written to about it.',
  patterns: ['the marks of a thread', 'how far a reader has come'],
  key: ({ thread_id, reader, what }) => ({
    pk: threadPartition(thread_id),
    sk: `${markPrefix}${what}#${reader}`,
  }),
  example: { thread_id: 17, reader: 'user:5', what: 'READ' },
});

/** A message as stored. */
export type Message = Omit<ChatMessage, 'id'> & { message_id: number };

export const messagePrefix = 'MESSAGE#';

export const MessageEntity = defineEntity<Message, Pick<Message, 'thread_id' | 'message_id'>>({
  name: 'ChatMessage',
  meaning: 'A message of a thread.',
  patterns: ['the messages of a thread in the order they were written'],
  key: ({ thread_id, message_id }) => ({
    pk: threadPartition(thread_id),
    sk: `${messagePrefix}${sortable(message_id)}`,
  }),
  example: { thread_id: 17, message_id: 99 },
});
