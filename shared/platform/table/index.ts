export { connectTable, type TableConnection } from './client.ts';
export * from './condition.ts';
export { defineEntity, type Entity, type Kind } from './entity.ts';
export { sortable, type TableKey } from './key-template.ts';
export { JoinedReads } from './joined-reads.ts';
export { Table } from './table.ts';
export type { Consumption, TimeLimit } from './connection.ts';
export {
  binary,
  checkEveryRecord,
  checkSomeRecords,
  defineRecord,
  type RecordCheck,
  type RecordOf,
} from './record.ts';
export { itemOf, itemsOf, readOf, readTogether, type Mixed, type Read } from './read.ts';
export { type QueryOptions } from './query.ts';
export { retryOnConflict, TransactionConflictError } from './retry-on-conflict.ts';
export {
  change,
  create,
  ConflictError,
  itemsPut,
  maxWrites,
  put,
  remove,
  conditionCheck,
  type Write,
} from './write.ts';
export { paginate } from './page.ts';
export { filteredPage, type Place, type Ranking } from './filtered-page.ts';
export { itemBytes } from './item-bytes.ts';
