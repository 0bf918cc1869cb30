export { connectTable } from './client.ts';
export * from './condition.ts';
export { defineEntity, sortable, type AnyEntity, type Entity, type TableKey } from './entity.ts';
export { maxWrites, Table, type Consumption, type Found, type QueryOptions } from './table.ts';
export { untilWon } from './until-won.ts';
export { change, create, LostRace, put, remove, require, type Write } from './write.ts';
export { pageThrough } from './page.ts';
export { type Judge, pageOfJudged, pageSorted, mostSorted, type Sorting } from './page-sorted.ts';
export { itemBytes } from './item-bytes.ts';
