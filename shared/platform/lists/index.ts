export { changedAt, type Condition, type ListKind, type Owner } from './list-kind.ts';
export { packList } from './pack-list.ts';
export { pageList } from './page-list.ts';
