export { type Message } from './chat.entity.ts';
export { listExternalMessages } from './list-external-messages.ts';
export { listMessages } from './list-messages.ts';
export { listThreads } from './list-threads.ts';
export { openThread } from './open-thread.ts';
export { sendExternalMessage } from './send-external-message.ts';
export { sendMessage } from './send-message.ts';
export { noteMailed, readRecent, type RecentMessages, unreadBy } from './unread.ts';
