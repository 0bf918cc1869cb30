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
export { listThreads, moveThread, openThread, unreadThreads } from './threads.ts';
