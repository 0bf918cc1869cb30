import { resolved, type Schema, type Schemas } from './openapi-document.ts';

/** Returns an object made of the examples of a schema's own fields. */
export const sampleOfFields = ({ properties = {} }: Schema, schemas: Schemas): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, sampleOf(field, schemas)]));

/** Returns the example of a schema as readers of the document derive it: its own, else one made of those of its parts. */
export const sampleOf = (schema: Schema, schemas: Schemas): unknown => {
  const { $ref, examples, example, enum: values, allOf, anyOf, oneOf, properties } = schema;
  if (examples) return examples[0];
  if (example !== undefined) return example;
  if ('const' in schema) return schema.const;
  if ($ref !== undefined) return sampleOf(resolved(schemas, schema), schemas);
  if ('default' in schema) return schema.default;
  if (values) return values[0];
  if (allOf) {
    const parts = allOf.map((part) => sampleOf(part, schemas));
    return Object.assign({}, ...parts, sampleOfFields(schema, schemas)) as unknown;
  }
  const [first] = anyOf ?? oneOf ?? [];
  if (first) return sampleOf(first, schemas);
  return properties ? sampleOfFields(schema, schemas) : sampleOfType(schema, schemas);
};

const sampleOfType = ({ type, items = {}, minimum = 0 }: Schema, schemas: Schemas): unknown => {
  switch ([type].flat()[0]) {
    case 'array':
      return [sampleOf(items, schemas)];
    case 'object':
      return {};
    case 'string':
      return 'string';
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return minimum;
  }
};
