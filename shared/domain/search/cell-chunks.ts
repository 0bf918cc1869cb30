import { deflateRaw, inflateRaw } from '../../platform/compression.ts';
import type { SearchCell } from './search.entity.ts';

/** What a cell says of one of its chunks. */
export interface ChunkState {
  /** The number of slots, free ones included. */
  slots: number;
  free: number[];
  /** Of each plane that is stored: its version and its bytes. */
  planes: Record<string, [version: number, bytes: number]>;
}

export const packStates = (states: readonly ChunkState[]): Uint8Array =>
  deflateRaw(JSON.stringify(states.map(({ slots, free, planes }) => [slots, free, planes])));

export const statesOf = ({ chunks }: Pick<SearchCell, 'chunks'>): ChunkState[] =>
  (JSON.parse(inflateRaw(chunks).toString()) as [number, number[], ChunkState['planes']][]).map(
    ([slots, free, planes]) => ({ slots, free, planes }),
  );
