export { type DueItem, dueKey, type DueList, duePartition, dueShards } from './due-list.ts';
export { retryDelayMs } from './retry-delay.ts';
export { longestRunMs, drainDueList, type DrainResult } from './drain-due-list.ts';
