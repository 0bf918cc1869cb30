/** Values of items as the document client takes and returns them, with DynamoDB's equality, order and sizes. */

export type Item = Record<string, unknown>;

type ValueType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'L' | 'M' | 'SS' | 'NS' | 'BS';

export const typeOf = (value: unknown): ValueType => {
  if (typeof value === 'string') return 'S';
  if (typeof value === 'number') return 'N';
  if (typeof value === 'boolean') return 'BOOL';
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return 'L';
  if (value instanceof Uint8Array) return 'B';
  if (value instanceof Set) {
    const [first] = value as Set<unknown>;
    return first instanceof Uint8Array ? 'BS' : typeof first === 'number' ? 'NS' : 'SS';
  }
  return 'M';
};

/** Returns a deep copy without `undefined`; throws for what the document client cannot marshall. */
export const copied = <Value>(value: Value): Value => copy(value) as Value;

const copy = (value: unknown): unknown => {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return marshallable(value);
  if (Array.isArray(value)) return value.filter((element) => element !== undefined).map(copy);
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (value instanceof Set) {
    if (value.size === 0) throw new Error('Pass a non-empty set, or options.convertEmptyValues=true.');
    return new Set(value);
  }
  if (typeof value !== 'object' || !isPlain(value))
    throw new Error(`Unsupported type passed: ${typeof value}.`);
  const result: Item = {};
  for (const name in value) {
    const part = (value as Item)[name];
    if (part !== undefined) result[name] = copy(part);
  }
  return result;
};

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const marshallable = (value: number): number => {
  if (!Number.isFinite(value)) throw new Error(`Special numeric value ${value} is not allowed`);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new Error(`Number ${value} is greater than Number.MAX_SAFE_INTEGER.`);
  return value;
};

/** Returns whether two values are equal; a missing one equals nothing. */
export const isSame = (one: unknown, other: unknown): boolean => {
  if (one === undefined || other === undefined) return false;
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const type = typeOf(one);
  if (type !== typeOf(other)) return false;
  if (type === 'B') return Buffer.compare(one as Uint8Array, other as Uint8Array) === 0;
  if (type === 'L') return isSameList(one as unknown[], other as unknown[]);
  if (type === 'M') return isSameMap(one as Item, other as Item);
  return isSameSet(one as Set<unknown>, other as Set<unknown>);
};

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((element, at) => isSame(element, other[at]));

const isSameMap = (one: Item, other: Item): boolean => {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
};

const isSameSet = (one: ReadonlySet<unknown>, other: ReadonlySet<unknown>): boolean =>
  one.size === other.size && [...one].every((element) => isMember(other, element));

/** Returns whether a set contains a value; binary values are compared by content. */
export const isMember = (set: ReadonlySet<unknown>, value: unknown): boolean =>
  set.has(value) || (value instanceof Uint8Array && [...set].some((element) => isSame(element, value)));

/** Compares two values of one ordered type (string, number, binary); NaN for all others. */
export const order = (one: unknown, other: unknown): number => {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string') return compareText(one, other);
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other);
  return NaN;
};

/** Compares by UTF-8 bytes. UTF-16 differs only where a surrogate meets U+E000 to U+FFFF. */
export const compareText = (one: string, other: string): number => {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const [left, right] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (left !== right) return byteRank(left) - byteRank(right);
  }
  return one.length - other.length;
};

const byteRank = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;

/** Returns the size of an item in bytes as DynamoDB counts it. */
export const itemSize = (item: Item): number => {
  let size = 0;
  for (const name in item) size += nameSize(name) + valueSize(item[name]);
  return size;
};

const nameSizes = new Map<string, number>();

/** Names come again and again; ids that are names of a map are remembered as long as they are few. */
const nameSize = (name: string): number => {
  const known = nameSizes.get(name);
  if (known !== undefined) return known;
  const size = Buffer.byteLength(name);
  if (nameSizes.size < 2000) nameSizes.set(name, size);
  return size;
};

const valueSize = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return numberSize(value);
  if (typeof value === 'boolean' || value === null) return 1;
  if (Array.isArray(value)) {
    let size = 3;
    for (const element of value) size += 1 + valueSize(element);
    return size;
  }
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Set) {
    let size = 0;
    for (const element of value) size += valueSize(element);
    return size;
  }
  const map = value as Item;
  let size = 3;
  for (const name in map) size += 1 + nameSize(name) + valueSize(map[name]);
  return size;
};

/** About one byte for two significant digits, and one or two more. */
const numberSize = (value: number): number =>
  1 + Math.ceil(significantDigits(Math.abs(value)) / 2) + (value < 0 ? 1 : 0);

/** The digits between the first and the last that are not zero, both included. */
const significantDigits = (value: number): number => {
  const text = String(value);
  const isPlain = Number.isSafeInteger(value);
  const digits = isPlain ? text : text.replace(/e.*$/, '').replace('.', '').replace(/^0+/, '');
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return end;
};

/** Returns the items of an entity, with the fields that such items have. */
export const itemsOf = <Fields extends object>(items: readonly Item[], entity: string): Fields[] =>
  items.filter((item): item is Item & Fields => item['entity'] === entity);
