import type { QueryResult } from '../table/index.ts';
import { type ListChunk, type ListHead, ListHeadEntity } from './list.entity.ts';

/** Splits items of the main plane into chunks and the list head, if that was read. */
export const splitHead = ({ items, kinds }: Pick<QueryResult, 'items' | 'kinds'>) => {
  const isHead = (position: number) => kinds[position] === ListHeadEntity.name;
  return {
    head: items.find((_, position) => isHead(position)) as unknown as ListHead | undefined,
    chunks: items.filter((_, position) => !isHead(position)) as unknown as ListChunk[],
  };
};
