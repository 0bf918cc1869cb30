/** Writes items and requests as DynamoDB's JSON, straight to text: what the SDK's document client sends for the same input. */

type Fields = Readonly<Record<string, unknown>>;

/** Attributes without a value and functions are left out, as the document client does with `removeUndefinedValues`. */
const isLeftOut = (value: unknown): boolean => value === undefined || typeof value === 'function';

/** Returns an item as DynamoDB's JSON. */
export const writeItem = (item: object): string => {
  let text = '';
  for (const name in item) {
    const value = (item as Fields)[name];
    if (isLeftOut(value)) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${writeValue(value)}`;
  }
  return `{${text}}`;
};

const writeValue = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      return `{"S":${JSON.stringify(value)}}`;
    case 'number':
      return `{"N":"${numberText(value)}"}`;
    case 'boolean':
      return value ? '{"BOOL":true}' : '{"BOOL":false}';
    case 'bigint':
      return `{"N":"${value}"}`;
    case 'object':
      return value === null ? '{"NULL":true}' : writeObject(value);
    default:
      throw unsupported(value);
  }
};

const writeObject = (value: object): string => {
  if (Array.isArray(value))
    return `{"L":[${value
      .filter((one) => !isLeftOut(one))
      .map(writeValue)
      .join(',')}]}`;
  if (value instanceof Uint8Array) return `{"B":"${base64(value)}"}`;
  if (value instanceof Set) return writeSet([...value].filter((one) => one !== undefined));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw unsupported(value);
  return `{"M":${writeItem(value)}}`;
};

const writeSet = (values: readonly unknown[]): string => {
  if (values.length === 0) throw new TypeError('DynamoDB has no empty sets.');
  if (values.every((value) => typeof value === 'string')) return `{"SS":${JSON.stringify(values)}}`;
  if (values.every((value) => value instanceof Uint8Array))
    return `{"BS":${JSON.stringify(values.map(base64))}}`;
  const numbers = values.map((value) => {
    if (typeof value === 'number') return numberText(value);
    if (typeof value === 'bigint') return String(value);
    throw unsupported(value);
  });
  return `{"NS":${JSON.stringify(numbers)}}`;
};

const numberText = (value: number): string => {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new RangeError(`${value} is not a number that DynamoDB keeps exactly.`);
  return String(value);
};

const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

const unsupported = (value: unknown): TypeError =>
  new TypeError(`DynamoDB has no type for ${Object.prototype.toString.call(value)}.`);

type Writer = (value: never) => string;

const list =
  (writer: (value: object) => string) =>
  (values: readonly object[]): string =>
    `[${values.map(writer).join(',')}]`;

/** The values of an object whose names are the caller's: tables, kinds of writes. */
const each =
  (writer: (value: object) => string) =>
  (values: object): string =>
    `{${Object.entries(values as Readonly<Record<string, object | undefined>>)
      .flatMap(([name, value]) => (value === undefined ? [] : `${JSON.stringify(name)}:${writer(value)}`))
      .join(',')}}`;

/** Returns the input of a command as DynamoDB's JSON. */
export const writeInput = (input: object): string => {
  let text = '';
  for (const name in input) {
    const value = (input as Fields)[name];
    if (value == null || typeof value === 'function') continue;
    const writer = writers[name] as ((value: unknown) => string) | undefined;
    text += `${text === '' ? '' : ','}"${name}":${writer ? writer(value) : JSON.stringify(value)}`;
  }
  return `{${text}}`;
};

/** The parameters that hold items. */
const writers: Readonly<Record<string, Writer>> = {
  Item: writeItem,
  Key: writeItem,
  ExclusiveStartKey: writeItem,
  ExpressionAttributeValues: writeItem,
  Keys: list(writeItem),
  RequestItems: each(writeInput),
  TransactItems: list(each(writeInput)),
};
