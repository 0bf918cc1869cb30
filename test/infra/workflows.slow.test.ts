import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { App, Stack } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { afterAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../../infra/bundling.ts';

const folder = join(projectRoot, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}));
const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** What actionlint does not say of the workflows; it runs in the workflow `check`. */
describe.each(workflows)('the workflow $name', ({ text }) => {
  it('takes actions of others at a commit, which cannot be moved as a tag can', () => {
    const used = [...text.matchAll(/uses: (.+)$/gm)].map(([, action = '']) => action);
    for (const action of used)
      expect(action).toMatch(
        /^(\.\/\.github\/workflows\/\w+\.yml|[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/,
      );
  });

  it('may do nothing that it does not name', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
  });

  it('leaves no token in its work tree, and no secret in a command', () => {
    const checkouts = text.split('actions/checkout@').length - 1;
    expect(text.split('persist-credentials: false').length - 1).toBe(checkouts);
    for (const [command] of text.matchAll(/run: (\|[\s\S]*?(?=\n {6}- |$)|.+)/g))
      expect(command).not.toContain('${{');
  });

  it('runs scripts and stages that are there', () => {
    for (const [, script = ''] of text.matchAll(/npm run ([\w:]+)/g))
      expect(scripts).toHaveProperty([script]);
    for (const [, stage] of text.matchAll(/with: \{ stage: (\w+) \}/g))
      expect(readdirSync(join(projectRoot, 'stages'))).toContain(`${stage}.json`);
  });
});

describe('the difference of two syntheses', { timeout: 60_000 }, () => {
  const made = mkdtempSync(join(tmpdir(), 'nightlatch-diff-'));
  afterAll(() => rmSync(made, { recursive: true }));
  const assembly = (name: string, stacks: Record<string, string>): string => {
    const outdir = join(made, name);
    const app = new App({ outdir, analyticsReporting: false });
    for (const [id, displayName] of Object.entries(stacks))
      new Topic(new Stack(app, id, { env: { region: 'ap-southeast-1', account: '111122223333' } }), 'Topic', {
        displayName,
      });
    app.synth();
    return outdir;
  };
  const difference = async (before: string, after: string): Promise<string> =>
    (await promisify(execFile)(join(projectRoot, '.ci/synth-diff'), [before, after])).stdout;

  it('is what changes, is new and goes', async () => {
    const before = assembly('before', { same: 'a', changed: 'a', gone: 'a' });
    const after = assembly('after', { same: 'a', changed: 'b', fresh: 'a' });
    const text = await difference(before, after);
    const shown = [...text.matchAll(/<summary>(\w+)<\/summary>/g)].map(([, stack]) => stack);
    expect(shown).toEqual(['changed', 'fresh']);
    expect(text).toMatch(/^- .* a\n\+ .* b$/m);
    expect(text).toContain('**gone is no longer there.**');
    expect(await difference(after, after)).toBe('## What a deployment changes\n\nNothing.\n');
  });
});

describe('the rights that a pull request takes away', () => {
  const made = mkdtempSync(join(tmpdir(), 'nightlatch-rights-'));
  afterAll(() => rmSync(made, { recursive: true }));
  const lost = async (before: object, after: object): Promise<string> => {
    const paths = Object.entries({ before, after }).map(([name, rights]) => {
      const path = join(made, `${name}.json`);
      writeFileSync(path, JSON.stringify(rights));
      return path;
    });
    return (await promisify(execFile)('node', [join(projectRoot, '.ci/lost-rights.mjs'), ...paths])).stdout;
  };
  const before = {
    bookings: { reads: ['CHAT#*', 'ORDER#*'], by_team: ['TEAM#*#CHATS'] },
    cart: { writes: ['CART#*'] },
  };

  it('are called dangerous, each with its function', async () => {
    const text = await lost(before, { bookings: { reads: ['ORDER#*'] }, cart: { writes: [] } });
    expect(text).toContain('**Dangerous in a gradual release.**');
    expect(text.match(/^- .*$/gm)).toEqual([
      '- `bookings`: reads `CHAT#*`',
      '- `bookings`: by_team `TEAM#*#CHATS`',
      '- `cart`: writes `CART#*`',
    ]);
  });

  it('are none where rights are the same, wider or new, or the function is gone', async () => {
    const wider = { reads: ['CHAT#*', 'ORDER*'], writes: ['ORDER#*'], by_team: ['TEAM#*'] };
    expect(await lost(before, { bookings: wider })).toBe('');
  });

  it('stand in the comment on it', () => {
    const [check] = workflows.filter(({ name }) => name === 'check.yml');
    expect(check?.text).toContain(
      'node after/.ci/lost-rights.mjs {before,after}/infra/cloud/table-rights.json',
    );
  });
});
