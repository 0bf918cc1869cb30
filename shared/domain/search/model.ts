export { SearchCellEntity, SearchEntryEntity, SearchPlaneEntity, SearchTermEntity } from './search.entity.ts';
