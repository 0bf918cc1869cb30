export {
  listExternalMessages,
  listMessages,
  listStayMessages,
  markMailed,
  readRecent,
  type RecentMessages,
  sendExternalMessage,
  sendMessage,
  sendStayMessage,
  unreadBy,
} from './messages.ts';
export { followStay, listThreads, openThreads, unreadThreads } from './threads.ts';
