export { SearchChunkEntity, SearchEntryEntity, SearchTermEntity } from './search.entity.ts';
export { SearchQuery, SearchResult } from './search.schema.ts';
