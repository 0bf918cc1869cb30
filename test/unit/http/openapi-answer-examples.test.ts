import { describe, expect, it } from 'vitest';
import { shareExamples } from '../../../shared/platform/http/openapi-answer-examples.ts';
import type { Answer, Media, Schemas } from '../../../shared/platform/http/openapi-document.ts';

const schemasOf = (): Schemas => ({
  Lamp: { type: 'object', properties: { id: { type: 'integer' }, state: { type: 'string' } } },
  Room: {
    allOf: [
      { $ref: '#/components/schemas/Lamp' },
      {
        type: 'object',
        properties: {
          name: { type: 'string' },
          lamps: { type: 'array', items: { $ref: '#/components/schemas/Lamp' } },
        },
      },
    ],
  },
});
const placed = (operationId: string, name: string, example: unknown) => {
  const media: Media = { schema: { $ref: `#/components/schemas/${name}` }, example };
  const answer: Answer = { description: 'OK', content: { 'application/json': media } };
  return { operationId, media, answer };
};
const lamp = { id: 7, state: 'ON' };
const room = { ...lamp, name: 'Hall', lamps: [lamp] };

describe('an example that follows from its schema', () => {
  it('stands at the parts of the schema, not at the answer', () => {
    const schemas = schemasOf();
    const all = [placed('getLamp', 'Lamp', lamp), placed('getRoom', 'Room', room)];
    expect(shareExamples(all, schemas)).toEqual({});
    for (const { media, answer } of all) {
      expect(media).not.toHaveProperty('example');
      expect(answer.description).toBe('OK');
    }
    expect(schemas['Lamp']?.examples).toEqual([lamp]);
    expect(schemas['Room']?.allOf?.[1]?.properties?.['name']).toEqual({ type: 'string', examples: ['Hall'] });
    expect(schemas['Room']?.allOf?.[1]?.properties?.['lamps']).not.toHaveProperty('examples');
  });

  it('may be of another record', () => {
    const all = [placed('getLamp', 'Lamp', lamp), placed('makeLamp', 'Lamp', { ...lamp, id: 8 })];
    expect(shareExamples(all, schemasOf())).toEqual({});
    expect(all[1]!.media).not.toHaveProperty('example');
    expect(all[1]!.answer.description).toBe('OK');
  });

  it('says in words what little is different, unless the example is shorter', () => {
    const named = { ...room, name: 'Hall '.repeat(20) };
    const all = [named, named, { ...named, id: 9, state: 'OFF' }].map((one, at) =>
      placed(`${at}`, 'Room', one),
    );
    shareExamples(all, schemasOf());
    expect(all[2]!.answer.description).toBe('OK, for example with `state`: `"OFF"`.');
    expect(all[2]!.media).not.toHaveProperty('example');
    const short = [lamp, lamp, { ...lamp, state: 'OFF' }].map((one, at) => placed(`${at}`, 'Lamp', one));
    shareExamples(short, schemasOf());
    expect(short[2]!.answer.description).toBe('OK');
    expect(short[2]!.media.example).toEqual({ id: 7, state: 'OFF' });
  });
});

describe('an example that is too different', () => {
  const lamps = Array.from({ length: 30 }, (_, at) => ({ id: at, state: `S${at}` }));
  const other = { ...room, lamps };

  it('stays, once for all answers that have it', () => {
    const all = [
      placed('getRoom', 'Room', room),
      placed('listRoom', 'Room', room),
      placed('fillRoom', 'Room', other),
      placed('refillRoom', 'Room', { ...other, id: 9 }),
    ];
    expect(shareExamples(all, schemasOf())).toEqual({ fillRoom: { value: other } });
    for (const { media } of all.slice(2)) {
      expect(media.examples).toEqual({ answer: { $ref: '#/components/examples/fillRoom' } });
      expect(media).not.toHaveProperty('example');
    }
  });
});
