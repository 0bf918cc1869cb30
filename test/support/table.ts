/** Re-exports what tests with a table need. */
export * from './builders.ts';
export * from './dependencies.ts';
export { testTable, testTableName } from './test-table.ts';
