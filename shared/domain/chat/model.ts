export {
  ChatMessage,
  ChatMessagePage,
  ChatThreadPage,
  ListMessagesQuery,
  ListThreadsQuery,
  SendMessage,
} from './chat.schema.ts';
export { ChatMarkEntity, type Message, MessageEntity, ThreadEntity } from './chat.store.ts';
