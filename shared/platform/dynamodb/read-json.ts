/** Reads items and replies of DynamoDB's JSON: what the SDK's document client returns for the same reply. */

/** Attribute values by name, as DynamoDB's JSON has them. Binary values may be bytes, as in the errors of the SDK. */
export type AttributeMap = Readonly<Record<string, object>>;

/** Returns an item with plain values. */
export const readItem = (attributes: AttributeMap): Record<string, unknown> => {
  const item: Record<string, unknown> = {};
  for (const name in attributes) {
    const value = readValue(attributes[name] as object);
    if (name === '__proto__')
      Object.defineProperty(item, name, { value, enumerable: true, configurable: true, writable: true });
    else item[name] = value;
  }
  return item;
};

const readValue = (attribute: object): unknown => {
  for (const type in attribute) {
    const read = readers[type];
    if (!read) throw new TypeError(`DynamoDB has no type ${type}.`);
    return read((attribute as Record<string, unknown>)[type] as never);
  }
  throw new TypeError('An attribute has no value.');
};

const readNumber = (text: string): number | bigint => {
  const value = Number(text);
  return Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER ? BigInt(text) : value;
};

const readBytes = (value: string | Uint8Array): Uint8Array => {
  if (typeof value !== 'string') return value;
  const { buffer, byteOffset, byteLength } = Buffer.from(value, 'base64');
  return new Uint8Array(buffer, byteOffset, byteLength);
};

const readers: Readonly<Record<string, ((value: never) => unknown) | undefined>> = {
  S: (value: string) => value,
  N: readNumber,
  BOOL: (value: boolean) => value,
  M: readItem,
  L: (values: object[]) => values.map(readValue),
  NULL: () => null,
  B: readBytes,
  SS: (values: string[]) => new Set(values),
  NS: (values: string[]) => new Set(values.map(readNumber)),
  BS: (values: (string | Uint8Array)[]) => new Set(values.map(readBytes)),
};

type Json = Record<string, unknown>;
type Part = (value: never) => unknown;

const list = (part: Part) => (values: unknown[]) => values.map(part as (value: unknown) => unknown);
const each = (part: Part) => (values: Json) => {
  for (const name in values) values[name] = (part as (value: unknown) => unknown)(values[name]);
  return values;
};
const withParts = (parts: Readonly<Record<string, Part | undefined>>) => (values: Json) => {
  for (const name in values) {
    const part = parts[name] as ((value: unknown) => unknown) | undefined;
    if (part) values[name] = part(values[name]);
  }
  return values;
};

const readInstant = (epochSeconds: number) => new Date(Math.round(epochSeconds * 1000));

/** Returns the output of a command from its parsed reply, which it changes. */
export const readOutput = withParts({
  Item: readItem,
  Items: list(readItem),
  Attributes: readItem,
  LastEvaluatedKey: readItem,
  Responses: each(list(readItem)),
  UnprocessedKeys: each(withParts({ Keys: list(readItem) })),
  Table: withParts({ CreationDateTime: readInstant }),
}) as (reply: Json) => object;
