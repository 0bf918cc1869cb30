export { createLocalTable, type LocalTable } from './create-table.ts';
export { startTable, type TableServer } from './start-table.ts';
export { type Sweep, sweepExpired } from './sweep-expired.ts';
export { openTableFile, type TableFile, tableFileFromEnvironment } from './table-file.ts';
export { type Housekeeping, startHousekeeping } from './housekeeping.ts';
