export {
  listExternalMessages,
  listMessages,
  markMailed,
  readRecent,
  type RecentMessages,
  sendExternalMessage,
  sendMessage,
  unreadBy,
} from './messages.ts';
export { listThreads, moveThread, openThreads, unreadThreads } from './threads.ts';
