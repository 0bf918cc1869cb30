import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../infra/docs/api-changes.ts';
import { type Surface, surfaceOf } from '../../../infra/docs/api-surface.ts';
import { knownSurface } from '../../../infra/docs/pages.ts';

const remedy = `docs/reference/api-surface.json is what clients rely on: additions only, and what is removed is deprecated for
12 months first (CHANGELOG.md). Bring back what is missing. Only what no release has had may go: then delete its line from that
file and run npm run generate.`;

describe('the API', () => {
  const { breaking, additions } = changesBetween(knownSurface(), surfaceOf());

  it('breaks no client', () => {
    expect(breaking, remedy).toEqual([]);
  });

  it('has its additions on record', () => {
    expect(additions, 'Run npm run generate, and add a line to CHANGELOG.md.').toEqual([]);
  });
});

const before: Surface = {
  operations: {
    getLamp: {
      call: 'GET /lamps/{id}',
      takes: { 'path id!': 'integer', 'query shade': '"red" | "blue"' },
      answers: { 200: 'Lamp' },
      errors: ['NOT_FOUND', 'UNAUTHORIZED'],
    },
    createLamp: {
      call: 'POST /lamps',
      takes: {},
      body: 'NewLamp!',
      answers: { 201: 'Lamp' },
      errors: [],
    },
  },
  webhooks: { 'lamp.lit': 'LampLit' },
  schemas: {
    Lamp: { has: { 'watts!': 'integer', note: 'string', 'state!': 'LampState' } },
    NewLamp: { takes: { 'watts!': 'integer', note: 'null | string' } },
    LampState: { oneOf: ['"ON"', '"OFF"'] },
  },
};

const changed = (change: (surface: Surface) => void) => {
  const after = structuredClone(before);
  change(after);
  return changesBetween(before, after);
};

describe('a change of the API', () => {
  it.each<[string, (surface: Surface) => void]>([
    ['removes an operation', ({ operations }) => delete operations['getLamp']],
    ['moves an operation', ({ operations }) => (operations['getLamp']!.call = 'GET /lights/{id}')],
    ['removes a parameter', ({ operations }) => delete operations['getLamp']!.takes['query shade']],
    [
      'requires a new parameter',
      ({ operations }) => (operations['getLamp']!.takes['query size!'] = 'string'),
    ],
    ['takes fewer values', ({ operations }) => (operations['getLamp']!.takes['query shade'] = '"red"')],
    ['drops an error code', ({ operations }) => operations['getLamp']!.errors.pop()],
    ['answers another type', ({ operations }) => (operations['getLamp']!.answers['200'] = 'Light')],
    ['requires another body', ({ operations }) => (operations['createLamp']!.body = 'Light!')],
    [
      'requires a field',
      ({ schemas }) => {
        schemas['NewLamp'] = { takes: { 'watts!': 'integer', 'note!': 'null | string' } };
      },
    ],
    ['requires a new field', ({ schemas }) => (schemas['NewLamp']!.takes!['size!'] = 'string')],
    ['no longer takes null', ({ schemas }) => (schemas['NewLamp']!.takes!['note'] = 'string')],
    ['removes a field of an answer', ({ schemas }) => delete schemas['Lamp']!.has!['note']],
    [
      'leaves out a field at times',
      ({ schemas }) => {
        schemas['Lamp'] = { has: { watts: 'integer', note: 'string', 'state!': 'LampState' } };
      },
    ],
    ['may answer null', ({ schemas }) => (schemas['Lamp']!.has!['watts!'] = 'integer | null')],
    ['removes a value', ({ schemas }) => (schemas['LampState'] = { oneOf: ['"ON"'] })],
    ['removes a schema', ({ schemas }) => delete schemas['LampState']],
    ['removes a webhook', ({ webhooks }) => delete webhooks['lamp.lit']],
  ])('that %s is breaking', (_, change) => {
    const { breaking, additions } = changed(change);
    expect(breaking).toHaveLength(1);
    expect(additions).toEqual([]);
  });

  it.each<[string, (surface: Surface) => void]>([
    ['adds an operation', ({ operations }) => (operations['lightLamp'] = operations['createLamp']!)],
    ['adds a parameter', ({ operations }) => (operations['getLamp']!.takes['query size'] = 'string')],
    ['adds an error code', ({ operations }) => operations['getLamp']!.errors.push('FORBIDDEN')],
    ['takes another body too', ({ operations }) => (operations['createLamp']!.body = 'Light | NewLamp!')],
    ['lets the body be left out', ({ operations }) => (operations['createLamp']!.body = 'NewLamp')],
    ['adds a field to a request', ({ schemas }) => (schemas['NewLamp']!.takes!['size'] = 'string')],
    ['adds a field to an answer', ({ schemas }) => (schemas['Lamp']!.has!['size!'] = 'string')],
    ['adds a value', ({ schemas }) => schemas['LampState']!.oneOf!.push('"DIM"')],
    ['adds a webhook', ({ webhooks }) => (webhooks['lamp.broken'] = 'LampBroken')],
  ])('that %s is an addition', (_, change) => {
    const { breaking, additions } = changed(change);
    expect(breaking).toEqual([]);
    expect(additions).toHaveLength(1);
  });
});
