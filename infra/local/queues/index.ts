export { pauseSeconds } from './pause.ts';
export { type Poller, pollQueue, type QueueHandler, type QueuePolling } from './poll-queue.ts';
export { type QueueDepth, type Queues, type QueueSettings, startQueues } from './start-queues.ts';
