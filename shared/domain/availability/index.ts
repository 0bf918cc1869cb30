export { blockTime, unblockTime } from './block-time.ts';
export { listUnavailableHours } from './list-unavailable-hours.ts';
export { readAvailability } from './read-availability.ts';
export { readMonth, readRange } from './read-calendar.ts';
