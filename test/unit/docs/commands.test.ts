import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Block, blocksOf, isTooling, pages, projectFile } from '../../support/docs.ts';

const blocks = pages.flatMap(blocksOf);
const { scripts } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Blocks that the tests do not run: they name the project's own tools, or need what a laptop does not have. */
const notRun = blocks.filter((block) => block.needs !== undefined || isTooling(block));
const wordsOf = ({ sh }: Block): string[] => sh.split(/[\s'"]+/);

describe('printed commands', () => {
  it('have no comment behind them: zsh would take it for words', () => {
    expect(blocks.filter(({ sh }) => /(^|\s)#\s/m.test(sh))).toEqual([]);
  });

  it('say what they need where a laptop does not have it', () => {
    const foreign = blocks.filter(({ sh }) => /^(aws|sam|docker|npx cdk) /m.test(sh));
    expect(foreign.length).toBeGreaterThan(0);
    expect(foreign.filter(({ needs }) => needs === undefined)).toEqual([]);
  });

  it.each(notRun)('of $page, $heading, are whole where they are not run', (block) => {
    const { status, stderr } = spawnSync('bash', ['-n'], {
      input: block.sh.replaceAll(/<\w+>/g, '1'),
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
  });

  it.each(notRun)('of $page, $heading, name scripts and files that exist', (block) => {
    const named = [...block.sh.matchAll(/npm (?:run )?([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
    const files = wordsOf(block).filter((word) => /^(test|events|bin|infra)\//.test(word));
    expect(files.filter((file) => !existsSync(projectFile(file)))).toEqual([]);
  });
});
