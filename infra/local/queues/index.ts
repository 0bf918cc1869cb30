export { pauseSeconds } from './pause.ts';
export { type QueueHandler } from './poll-queue.ts';
export { type Queues, startQueues } from './start-queues.ts';
