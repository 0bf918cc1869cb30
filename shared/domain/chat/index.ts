export { listMessages } from './list-messages.ts';
export { listThreads } from './list-threads.ts';
export { openThread } from './open-thread.ts';
export { sendMessage } from './send-message.ts';
