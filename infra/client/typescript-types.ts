import type { Field as ObjectField, Schema } from '../../shared/platform/http/openapi-document.ts';

/** Returns a JSON schema as a TypeScript type; references become names of types. */
export const typeOf = (schema: Schema): string => {
  const { $ref, const: only, enum: values, anyOf, oneOf, allOf, type } = schema;
  if ($ref !== undefined) return nameIn($ref);
  if ('const' in schema) return JSON.stringify(only);
  if (values) return union(values.map((value) => JSON.stringify(value)));
  const options = anyOf ?? oneOf;
  if (options) return union(options.map(typeOf));
  if (allOf) {
    const own = schema['properties'] ? [objectType(schema)] : [];
    return [...allOf.map((part) => bracketed(typeOf(part))), ...own].join(' & ');
  }
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one })));
  return typeOfKind(type, schema);
};

const typeOfKind = (type: string | undefined, schema: Schema): string => {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'number':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return schema.prefixItems
        ? `[${schema.prefixItems.map(typeOf).join(', ')}]`
        : `${bracketed(typeOf(schema.items ?? {}))}[]`;
    case 'object':
      return objectType(schema);
    case undefined:
      return schema.properties ? objectType(schema) : 'unknown';
    default:
      throw new Error(`no TypeScript type for ${type}`);
  }
};

const objectType = ({ properties, required = [], additionalProperties }: Schema): string => {
  if (!properties) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Record<string, ${values}>`;
  }
  return fieldsType(
    Object.entries(properties).map(([name, field]) => ({
      name,
      schema: field,
      isRequired: required.includes(name),
    })),
  );
};

/** A field of an object type. */
export interface Field extends ObjectField {
  description?: string | undefined;
}

/** Returns an object type. An optional field may also be undefined. */
export const fieldsType = (fields: readonly Field[]): string => {
  const lines = fields.map(({ name, schema, isRequired, description }) => {
    const text = typeOf(schema);
    const field = isRequired ? `${name}: ${text};` : `${name}?: ${union([text, 'undefined'])};`;
    return `${comment(description ?? schema.description)}${field}`;
  });
  return lines.length === 0 ? 'Record<string, never>' : `{\n${indented(lines.join('\n'))}\n}`;
};

/** Returns a description as a comment with its line break; empty without one. */
export const comment = (description: string | undefined): string =>
  description ? `/** ${description.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim()} */\n` : '';

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

const union = (types: readonly string[]): string => {
  const parts = new Set(types.flatMap((type) => (isNested(type) ? [type] : type.split(' | '))));
  return [...parts].join(' | ');
};

const isNested = (type: string): boolean => /[{([<]/.test(type);

const bracketed = (type: string): string =>
  type.includes(' | ') || type.includes(' & ') ? `(${type})` : type;

/** Returns the name of the type that a reference points to. */
const nameIn = (reference: string): string => {
  const name = reference.split('/').at(-1) ?? '';
  if (!/^[A-Z]\w*$/.test(name)) throw new Error(`${reference} is no name of a type`);
  return name;
};
