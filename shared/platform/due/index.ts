export { type DueItem, type DueList, duePartition, dueShardOf, dueShards } from './due-list.ts';
export { retryDelayMs } from './retry-delay.ts';
export { longestRunMs, drainDueList, type DrainResult } from './drain-due-list.ts';
