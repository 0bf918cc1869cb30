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
];

describe.each(rooms)('the room %s', (room) => {
  it('says in at most ten lines what it is, what it holds, and where its tests are', () => {
    const page = `${room}/README.md`;
    const text = existsSync(projectFile(page)) ? textOf(page) : '';
    expect(text).toContain('- **Holds.**');
    expect(text).toContain('- **Tests.**');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
  });
});

describe('the way of a booking through the files', () => {
  it('is read in one sitting: at most 150 lines', () => {
    expect(textOf('docs/how-it-works.md').split('\n').length).toBeLessThanOrEqual(150);
  });
});
