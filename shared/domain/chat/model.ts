export { ChatMarkEntity, type Message, MessageEntity, ThreadEntity } from './chat.store.ts';
