import type { ChunkState } from './cell-chunks.ts';
import { HourPlane } from './hour-plane.ts';
import type { Plane, Planes } from './planes.ts';
import type { PlaneIds } from './search.entity.ts';

/** A chunk of a cell, with the planes that a search has asked for. */
export class LoadedChunk {
  readonly ids: Omit<PlaneIds, 'plane'>;
  readonly state: ChunkState;
  readonly #planes = new Map<string, Plane>();

  constructor(ids: Omit<PlaneIds, 'plane'>, state: ChunkState) {
    this.ids = ids;
    this.state = state;
  }

  add(name: string, plane: Plane): void {
    this.#planes.set(name, plane);
  }

  /** Undefined if the chunk has no such plane. */
  plane<Name extends keyof Planes>(name: Name): Planes[Name] | undefined {
    return this.#planes.get(name) as Planes[Name] | undefined;
  }

  /** Returns the taken hours of a month; undefined if nothing is taken in it. */
  hours(month: string): HourPlane | undefined {
    const plane = this.#planes.get(month);
    return plane instanceof HourPlane ? plane : undefined;
  }
}
