import { expect, it } from 'vitest';
import { extending } from '../../../shared/platform/http/openapi-extending.ts';

const fieldsFrom = (first: number, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`field_${first + at}`, { type: 'string' }]));
const schemaOf = (count: number, extra: object = {}) => ({
  type: 'object',
  properties: fieldsFrom(1, count),
  required: Object.keys(fieldsFrom(1, count)),
  ...extra,
});

it('writes a component with all fields of another one as that one and an element of its own', () => {
  const components = new Map<string, Record<string, unknown>>([
    ['Small', schemaOf(13)],
    ['Large', schemaOf(15, { description: 'More.' })],
  ]);
  expect(Object.fromEntries(extending(components))).toEqual({
    Small: schemaOf(13),
    Large: {
      description: 'More.',
      allOf: [
        { $ref: '#/$defs/Small' },
        { type: 'object', properties: fieldsFrom(14, 2), required: ['field_14', 'field_15'] },
      ],
    },
  });
});

it('leaves a component as it is where a field of the other one is optional or different', () => {
  const other = { ...schemaOf(15).properties, field_3: { type: 'number' } };
  const components = new Map<string, Record<string, unknown>>([
    ['Small', schemaOf(13)],
    ['Optional', { ...schemaOf(15), required: [] }],
    ['Different', { ...schemaOf(15), properties: other }],
  ]);
  for (const schema of extending(components).values()) expect(schema).not.toHaveProperty('allOf');
});

it('writes a component with the fields of several parts as all of them, however small they are', () => {
  const part = { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] };
  const components = new Map<string, Record<string, unknown>>([
    ['Part', part],
    ['Large', { ...schemaOf(15), properties: { ...schemaOf(15).properties, ...part.properties } }],
    ['Small', schemaOf(13)],
  ]);
  const required = [...schemaOf(15).required, 'total'];
  components.set('Large', { ...components.get('Large'), required });
  const { allOf } = extending(components, new Set(['Part'])).get('Large') as { allOf: unknown[] };
  expect(allOf.slice(0, -1)).toEqual([{ $ref: '#/$defs/Small' }, { $ref: '#/$defs/Part' }]);
  expect(allOf.at(-1)).toMatchObject({ required: ['field_14', 'field_15'] });
  expect((extending(components).get('Large') as { allOf: unknown[] }).allOf).toHaveLength(2);
});

it('writes of components that are the same the later ones as the first', () => {
  const components = new Map<string, Record<string, unknown>>([
    ['First', schemaOf(13)],
    ['Second', schemaOf(13)],
  ]);
  expect(Object.fromEntries(extending(components))).toEqual({
    First: schemaOf(13),
    Second: { allOf: [{ $ref: '#/$defs/First' }] },
  });
});
