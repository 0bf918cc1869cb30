import { type AttributeMap, readItem } from './read-json.ts';
import { writeItem } from './write-json.ts';

/** Returns an item as it is read after it was written. */
export const asStored = (item: object): Record<string, unknown> =>
  readItem(JSON.parse(writeItem(item)) as AttributeMap);
