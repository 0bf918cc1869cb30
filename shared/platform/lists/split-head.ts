import { itemsOf, type Mixed } from '../table/index.ts';
import { ListChunkEntity, ListHeadEntity } from './list.entity.ts';

/** Splits items of the main plane into chunks and the list head, if that was read. */
export const splitHead = (page: Pick<Mixed, 'entries'>) => ({
  head: itemsOf(ListHeadEntity, page)[0],
  chunks: itemsOf(ListChunkEntity, page),
});
