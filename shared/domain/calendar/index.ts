export { blockTime, unblockTime } from './block-time.ts';
export { changeTimeZone } from './change-time-zone.ts';
export { conflictWhenTaken } from './conflict-when-taken.ts';
export { confirmHolds, extendHolds } from './confirm-holds.ts';
export { moveCalendar } from './move-calendar.ts';
export { listUnavailableHours, readAvailability } from './read-availability.ts';
export { planBlocks, planUnblocks, planUndoBlocks } from './plan-blocks.ts';
export { readMonth, readRange, requireWithinCalendar } from './read-calendar.ts';
export { takenFirst } from './taken-first.ts';
