import type { ChatThread } from '@nightlatch/client';

export interface Conversation {
  thread: ChatThread;
  isUnread: boolean;
}

/**
 * Returns the conversations, those with unread messages first, each part with the last written first. Threads in which the service alone
 * has written, as in that of every new booking, are left out unless all are asked for.
 */
export const inboxOf = (
  threads: readonly ChatThread[],
  unread: readonly ChatThread[],
  isAll: boolean,
): Conversation[] => {
  const ids = new Set(unread.map(({ id }) => id));
  return [
    ...unread.map((thread) => ({ thread, isUnread: true })),
    ...threads
      .filter(({ id, last_message }) => !ids.has(id) && (isAll || last_message.sender_type !== 'SYSTEM'))
      .map((thread) => ({ thread, isUnread: false })),
  ];
};
