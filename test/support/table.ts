/** What a test over the table needs, from one place. */
export * from './builders.ts';
export * from './dependencies.ts';
export { fakeIdentity, type FakeIdentity } from './identity.ts';
export { testTable, testTableName, testTablePrefix } from './test-table.ts';
