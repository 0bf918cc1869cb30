import { tableIndexes } from '../../../shared/platform/table/entity.ts';
import { ValidationError } from './expression-tokens.ts';
import { type Item, itemSize, typeOf } from './values.ts';

/** The attributes of a partition key and a sort key. Every key of our table is a string. */
export interface IndexKeys {
  pk: string;
  sk: string;
}

export const tableKeys: IndexKeys = { pk: 'pk', sk: 'sk' };
export const indexes: readonly (readonly [name: string, keys: IndexKeys])[] = Object.entries(tableIndexes);

const maxBytes = { pk: 2048, sk: 1024, item: 400 * 1024 };

/** An item as the table keeps it; never changed. */
export interface Row {
  readonly id: string;
  readonly item: Item;
  /** Bytes. */
  readonly size: number;
}

export const idOf = (key: Item): string => `${String(key['pk'])}\n${String(key['sk'])}`;

/** Returns the id of a Key parameter; throws unless it is exactly the key of an item. */
export const keyId = (key: Item): string => {
  const names = Object.keys(key);
  const isKey = names.length === 2 && names.every((name) => name === 'pk' || name === 'sk');
  if (!isKey || names.some((name) => typeof key[name] !== 'string'))
    throw new ValidationError('The provided key element does not match the schema');
  checkKeyText(key, tableKeys);
  return idOf(key);
};

/** Throws for an item without its key, with a wrong index key, or larger than 400 KB. */
export const rowOf = (item: Item, isUpdate = false): Row => {
  for (const name of ['pk', 'sk']) {
    if (item[name] === undefined) throw invalid(`were invalid: Missing the key ${name} in the item`);
    if (typeof item[name] !== 'string')
      throw invalid(`were invalid: Type mismatch for key ${name} expected: S actual: ${typeOf(item[name])}`);
  }
  checkKeyText(item, tableKeys);
  for (const [index, keys] of indexes) checkIndexKeys(item, index, keys, isUpdate);
  const size = itemSize(item);
  if (size > maxBytes.item)
    throw new ValidationError(
      `Item size ${isUpdate ? 'to update ' : ''}has exceeded the maximum allowed size`,
    );
  return { id: idOf(item), item, size };
};

const invalid = (what: string): ValidationError =>
  new ValidationError(`One or more parameter values ${what}`);
const isEmpty = 'The AttributeValue for a key attribute cannot contain an empty string value.';

const checkKeyText = (item: Item, keys: IndexKeys): void => {
  for (const name of [keys.pk, keys.sk])
    if (item[name] === '') throw invalid(`are not valid. ${isEmpty} Key: ${name}`);
  checkKeySize(item, keys);
};

const checkKeySize = (item: Item, keys: IndexKeys): void => {
  if (isLonger(item[keys.pk], maxBytes.pk))
    throw invalid(`were invalid: Size of hashkey has exceeded the maximum size limit of${maxBytes.pk} bytes`);
  if (isLonger(item[keys.sk], maxBytes.sk))
    throw invalid(
      `were invalid: Aggregated size of all range keys has exceeded the size limit of ${maxBytes.sk} bytes`,
    );
};

const isLonger = (value: unknown, bytes: number): boolean =>
  typeof value === 'string' && value.length * 3 > bytes && Buffer.byteLength(value) > bytes;

const checkIndexKeys = (item: Item, index: string, keys: IndexKeys, isUpdate: boolean): void => {
  for (const name of [keys.pk, keys.sk]) {
    const value = item[name];
    if (value === undefined) continue;
    if (typeof value !== 'string')
      throw invalid(
        `were invalid: Type mismatch for Index Key ${name} Expected: S Actual: ${typeOf(value)} IndexName: ${index}`,
      );
    if (value !== '') continue;
    throw isUpdate
      ? invalid(
          `are not valid. The update expression attempted to update a secondary index key to a value that is not supported. ${isEmpty}`,
        )
      : invalid(
          `are not valid. A value specified for a secondary index key is not supported. ${isEmpty} IndexName: ${index}, IndexKey: ${name}`,
        );
  }
  checkKeySize(item, keys);
};

/** Returns the key of an item in an index, or undefined if it is not in it. */
export const indexKeyOf = (item: Item | undefined, keys: IndexKeys): IndexKeys | undefined => {
  const pk = item?.[keys.pk];
  const sk = item?.[keys.sk];
  return typeof pk === 'string' && typeof sk === 'string' ? { pk, sk } : undefined;
};
