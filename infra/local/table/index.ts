export { createLocalTable, type LocalTable } from './create-table.ts';
export { recallDue } from './recall-due.ts';
export { recallHolds } from './recall-holds.ts';
export { scanTable } from './scan-table.ts';
export { startTable, type TableServer } from './start-table.ts';
export { sweepExpired } from './sweep-expired.ts';
export { tableFileFromEnvironment } from './table-file.ts';
