export { changedAt, type Condition, type ListKind, type ListRow, type Owner } from './list-kind.ts';
export { packList } from './pack-list.ts';
export { type NamedQuery, pageList } from './page-list.ts';
