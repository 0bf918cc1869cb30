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
export { listThreads, openThreads, unreadThreads } from './threads.ts';
