import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projectFile, textOf } from '../../support/docs.ts';

const folders = (place: string): string[] =>
  readdirSync(projectFile(place), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${place}/${name}`);

const rooms = [
  ...folders('shared/domain'),
  ...folders('shared/platform'),
  ...folders('infra'),
  'functions',
  'test/prove',
  'test/support',
];

const isThere = (path: string): boolean => existsSync(projectFile(path));

/** What the line of a README names in its room; paths from the project's root and patterns such as `*-scene.ts` are others. */
const namedIn = (line: string): string[] =>
  [...line.matchAll(/`([\w.-]+(?:\.ts|\/))`/g)].map(([, name = '']) => name);

describe.each(rooms)('the README of %s', (room) => {
  const page = `${room}/README.md`;
  const lines = isThere(page) ? textOf(page).trimEnd().split('\n') : [];
  const lineOf = (what: string): string => lines.find((line) => line.startsWith(`- **${what}.**`)) ?? '';

  it('says in at most ten lines what the room is, its doors, what it holds, and its tests', () => {
    expect(lines[0]).toBe(`# ${room.split('/').at(-1)}`);
    for (const what of ['Doors', 'Holds', 'Tests']) expect(lineOf(what)).not.toBe('');
    expect(lines.length).toBeLessThanOrEqual(10);
  });

  it('names doors that are in the room', () => {
    expect(namedIn(lineOf('Doors')).filter((name) => !isThere(`${room}/${name}`))).toEqual([]);
  });

  it('names tests that exist', () => {
    const tests = [...lineOf('Tests').matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(tests).not.toEqual([]);
    expect(tests.filter((path) => !isThere(path))).toEqual([]);
  });
});

describe('the way of a booking through the files', () => {
  it('is read in one sitting: at most 150 lines', () => {
    expect(textOf('docs/how-it-works.md').split('\n').length).toBeLessThanOrEqual(150);
  });
});
