import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pages, projectFile, proseOf } from '../../support/docs.ts';

/** The anchors of a page, as GitHub names them. */
const anchorsOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const linksOf = (page: string): string[] =>
  [
    ...proseOf(page)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target));

const isThere = (page: string, target: string): boolean => {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : posix.join(posix.dirname(page), path);
  if (!existsSync(projectFile(file))) return false;
  return anchor === undefined || anchorsOf(file).includes(anchor);
};

describe('links between pages', () => {
  it.each(pages)('%s leads to files and headings that exist', (page) => {
    expect(linksOf(page).filter((target) => !isThere(page, target))).toEqual([]);
  });

  const rooms = pages.filter((page) => page.endsWith('/README.md') && page !== 'client/README.md');

  it('lead from the README to every page', () => {
    const linked = linksOf('README.md').map((target) => target.split('#')[0]);
    const others = pages.filter(
      (page) => page !== 'README.md' && !rooms.includes(page) && !page.startsWith('docs/runbooks/'),
    );
    expect(others.filter((page) => !linked.includes(page))).toEqual([]);
  });

  it('lead from the map of the code to every room', () => {
    const linked = linksOf('docs/how-it-works.md').map((target) => target.replace('../', ''));
    expect(rooms.length).toBeGreaterThan(40);
    expect(rooms.filter((page) => !linked.includes(page))).toEqual([]);
  });

  it('lead from the page about operating to every runbook', () => {
    const linked = linksOf('docs/operate.md').map((target) => `docs/${target}`);
    const runbooks = pages.filter((page) => page.startsWith('docs/runbooks/'));
    expect(runbooks.length).toBeGreaterThan(20);
    expect(runbooks.filter((page) => !linked.includes(page))).toEqual([]);
  });
});
