import { absent, any, atMost, ConflictError, put, type Table } from '../../platform/table/index.ts';
import {
  type ChatMark,
  ChatMarkEntity,
  markPrefix,
  type Message,
  messagePrefix,
  threadPartition,
} from './chat.entity.ts';

/** A thread's last messages, oldest first, with the marks of its members. */
export interface RecentMessages {
  messages: readonly Message[];
  marks: readonly ChatMark[];
}

/** A mail tells of at most so many: who has missed more reads them in the thread. */
const most = 50;

export const readRecent = async (table: Table, thread_id: number): Promise<RecentMessages> => {
  const pk = threadPartition(thread_id);
  const [messages, marks] = await Promise.all([
    table.query({ pk, prefix: messagePrefix, descending: true, limit: most }),
    table.queryAll({ pk, prefix: markPrefix }),
  ]);
  return {
    messages: messages.items.toReversed() as unknown as Message[],
    marks: marks.items as unknown as ChatMark[],
  };
};

/**
 * What the other side wrote and a member has neither read nor been written to about. A member has read what came before the
 * own last message; the guest's side is one, whether the guest or the partner writes.
 */
export const unreadBy = (
  { side, ref }: { side: 'guest' | 'host'; ref: string },
  { messages, marks }: RecentMessages,
): Message[] => {
  const isOfGuest = ({ sender_type }: Message) => sender_type === 'GUEST' || sender_type === 'PARTNER';
  const isOwn = (message: Message) =>
    side === 'guest' ? isOfGuest(message) : ref === `user:${message.sender_id}` && !isOfGuest(message);
  const isNews = (message: Message) =>
    side === 'guest' ? message.sender_type === 'HOST' : isOfGuest(message);
  const known = Math.max(
    0,
    ...marks.filter(({ reader }) => reader === ref).map(({ until }) => until),
    ...messages.filter(isOwn).map(({ message_id }) => message_id),
  );
  return messages.filter((message) => isNews(message) && message.message_id > known);
};

/** Notes that a reader has seen a thread up to a message; one read of the mark where nothing is new. */
export const noteRead = async (table: Table, mark: Omit<ChatMark, 'what'>): Promise<void> => {
  const read: ChatMark = { ...mark, what: 'READ' };
  const before = await table.get(ChatMarkEntity, read, { consistent: false });
  if (!before || before.until < mark.until) await moveOn(table, read);
};

/** Notes that a reader was written to about a thread up to a message. */
export const noteMailed = (table: Table, mark: Omit<ChatMark, 'what'>): Promise<void> =>
  moveOn(table, { ...mark, what: 'MAILED' });

/** A mark only moves on: what comes late leaves it where it is. */
const moveOn = async (table: Table, mark: ChatMark): Promise<void> => {
  try {
    await table.put(put(ChatMarkEntity, mark, { when: any(absent(), atMost('until', mark.until)) }));
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
};
