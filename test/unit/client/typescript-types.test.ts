import { describe, expect, it } from 'vitest';
import { comment, fieldsType, typeOf } from '../../../infra/client/typescript-types.ts';
import { namesIn } from '../../../shared/platform/http/openapi-document.ts';

describe('the TypeScript type of a schema', () => {
  it.each([
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ const: 'day' }, '"day"'],
    [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
    [{ anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'number' }] }, 'number | string'],
    [
      { allOf: [{ $ref: '#/$defs/A' }, { anyOf: [{ $ref: '#/$defs/B' }, { type: 'null' }] }] },
      'A & (B | null)',
    ],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, '[string, number]'],
    [{ type: 'array' }, 'unknown[]'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [{ type: 'object', additionalProperties: false }, 'Record<string, unknown>'],
    [{ type: 'object', properties: {} }, 'Record<string, never>'],
    [{ oneOf: [{ $ref: '#/components/schemas/ByDay' }, { type: 'null' }] }, 'ByDay | null'],
    [{}, 'unknown'],
  ])('of %j is %s', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it('of an object says which fields may be absent, with their descriptions', () => {
    const schema = {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'integer', description: 'The booking.' },
        guest: { type: 'object', properties: { name: { type: 'string' } } },
      },
    };
    expect(typeOf(schema)).toBe(
      ['{', '  /** The booking. */', '  id: number;', '  guest?: {', '    name?: string | undefined;']
        .concat(['  } | undefined;', '}'])
        .join('\n'),
    );
  });

  it('of a kind that is not known is an error', () => {
    expect(() => typeOf({ type: 'binary' })).toThrow('no TypeScript type for binary');
    expect(() => typeOf({ $ref: '#/components/schemas/a.b' })).toThrow('is no name of a type');
  });

  it('is commented in one line that ends where it should', () => {
    expect(comment('Two\n  lines */ and more.')).toBe('/** Two lines * / and more. */\n');
    expect(comment(undefined)).toBe('');
    expect(fieldsType([])).toBe('Record<string, never>');
  });

  it('names the types that it refers to', () => {
    expect(namesIn([{ $ref: '#/$defs/A' }, { items: { $ref: '#/components/schemas/B' } }])).toEqual([
      'A',
      'B',
    ]);
  });
});
