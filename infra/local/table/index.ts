export { createLocalTable, type LocalTable } from './create-table.ts';
export { startTable, type TableServer } from './start-table.ts';
export { sweepExpired } from './sweep-expired.ts';
export { tableFileFromEnvironment } from './table-file.ts';
