import { describe, expect, it } from 'vitest';
import { routeGroups } from '../../../functions/routes.ts';
import { openApiDocument } from '../../../shared/platform/http/openapi.ts';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  operationId: string;
  requestBody?: Content;
  responses: Record<string, Content>;
}

const document = openApiDocument({
  groups: routeGroups,
  title: 'Nightlatch',
  version: '0.1.0',
}) as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Places of objects with fields of their own that no component names. */
const unnamed = (schema: Schema, place: string): string[] => [
  ...(schema.properties ? [place] : []),
  ...fieldsOf(schema).flatMap(([name, field]) => unnamed(field, `${place}.${name}`)),
];

const fieldsOf = ({ properties, items, anyOf = [], oneOf = [] }: Schema): [string, Schema][] => [
  ...Object.entries(properties ?? {}),
  ...(items ? [['[]', items] as [string, Schema]] : []),
  ...[...anyOf, ...oneOf].map((schema, position): [string, Schema] => [`|${position}`, schema]),
];

const contents = ({ operationId, requestBody, responses }: Operation): [string, Schema][] =>
  [requestBody, ...Object.values(responses)].flatMap((holder) =>
    Object.values(holder?.content ?? {}).map(({ schema }): [string, Schema] => [operationId, schema]),
  );

describe('the OpenAPI document', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

  it('names every body, reply and item as a component', () => {
    expect(operations.flatMap(contents).flatMap(([id, schema]) => unnamed(schema, id))).toEqual([]);
  });

  it('names every object within a component, but for the details of an error', () => {
    const { Error: _, ...schemas } = document.components.schemas;
    const within = Object.entries(schemas).flatMap(([name, schema]) =>
      fieldsOf(schema).flatMap(([field, part]) => unnamed(part, `${name}.${field}`)),
    );
    expect(within).toEqual([]);
  });

  it('has a component for every reference', () => {
    const references = JSON.stringify(document).match(/#\/components\/schemas\/\w+/g) ?? [];
    const missing = references.filter((link) => !(link.split('/').at(-1)! in document.components.schemas));
    expect(missing).toEqual([]);
  });
});
