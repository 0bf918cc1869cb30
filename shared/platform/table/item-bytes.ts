import type { Entity } from './entity.ts';
import { stored } from './stored-item.ts';

/**
 * Returns the approximate size of an item as DynamoDB counts it: names, values, and the overhead of lists and maps. A write
 * unit is 1024.
 */
export const itemBytes = <Item extends Ids, Ids extends object>(
  entity: Entity<Item, Ids>,
  item: Item,
): number => fieldsBytes(stored(entity, item));

const fieldsBytes = (fields: object): number =>
  Object.entries(fields).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

const valueBytes = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return 2 + Math.ceil(String(Math.abs(value)).length / 2);
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + 1 + valueBytes(one), 3);
  if (typeof value === 'object' && value !== null) return 3 + Object.keys(value).length + fieldsBytes(value);
  return 1;
};
