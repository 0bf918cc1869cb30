import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pages, projectFile, proseOf } from '../../support/docs.ts';
import { sourceFiles } from '../../support/sources.ts';

const folders = 'bin|client|functions|shared|infra|test|events|docs|\\.ci';
const names = new Set(
  sourceFiles(['bin', 'client/src', 'client/command', 'functions', 'shared', 'infra', 'test']).map((file) =>
    basename(file),
  ),
);

/** What a page names as a path, up to its first placeholder; paths of the API and of what is built are none. */
const pathsOf = (page: string): string[] =>
  [...proseOf(page).matchAll(new RegExp(`\`((?:${folders})/[^\`\\s]*)\``, 'g'))].map(([, path = '']) =>
    path.replace(/[^/]*[<*{].*$/, ''),
  );

const filesOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/`([\w.-]+\.ts)`/g)].map(([, name = '']) => name);

describe.each(pages)('the code that %s names', (page) => {
  it('is where it says', () => {
    expect(
      pathsOf(page).filter((path) => !path.startsWith('client/dist') && !existsSync(projectFile(path))),
    ).toEqual([]);
  });

  it('has files of these names', () => {
    expect(filesOf(page).filter((name) => !names.has(name))).toEqual([]);
  });
});
