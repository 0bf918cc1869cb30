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
export { listThreads, openThread, unreadThreads } from './threads.ts';
