/** What a test over the table needs, from one place. */
export * from './builders.ts';
export * from './dependencies.ts';
export { testTable, testTableName } from './test-table.ts';
