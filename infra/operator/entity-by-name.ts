import { entities } from '../../shared/entities.ts';
import type { Entity } from '../../shared/platform/table/index.ts';
import type { Fields } from './stored-items.ts';

/** The entities by name, for what is done with any item of the table. */
export const entityByName: ReadonlyMap<string, Entity<Fields, Fields>> = new Map(
  entities.map((entity) => [entity.name, entity as unknown as Entity<Fields, Fields>]),
);
