export { changedAt, changedSince, type Condition, type ListKind, type Owner } from './list-kind.ts';
export { listRows } from './list-rows.ts';
export { packList } from './pack-list.ts';
export { pageList } from './page-list.ts';
