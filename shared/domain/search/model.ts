export { SearchChunkEntity, SearchEntryEntity, SearchTermEntity } from './search.entity.ts';
