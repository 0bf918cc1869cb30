export { changedAt, changedSince, type Condition, type ListKind, type Owner } from './list-kind.ts';
export { packList } from './pack-list.ts';
export { pageList } from './page-list.ts';
