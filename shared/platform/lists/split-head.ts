import type { QueryResult } from '../table/index.ts';
import { type ListChunk, type ListHead, ListHeadEntity } from './list.entity.ts';

/** What a part of the main plane holds: chunks, and the head of the list where it goes to the end. */
export const splitHead = ({ items, kinds }: Pick<QueryResult, 'items' | 'kinds'>) => {
  const isHead = (position: number) => kinds[position] === ListHeadEntity.name;
  return {
    head: items.find((_, position) => isHead(position)) as unknown as ListHead | undefined,
    chunks: items.filter((_, position) => !isHead(position)) as unknown as ListChunk[],
  };
};
