export { type DueItem, dueKey, type DueList, duePartition, dueShards } from './due-list.ts';
export { retryDelayMs, stuckAttempts } from './retry-delay.ts';
export { longestRunMs, workOff, type WorkedOff } from './work-off.ts';
