import { beforeEach, describe, expect, it } from 'vitest';
import { allFlags } from '../../infra/operator/command.ts';
import { commandGroups } from '../../infra/operator/operate.ts';
import { fixedClock } from '../../shared/platform/time/clock.ts';
import { playOperator } from '../support/operator.ts';
import { tableDump } from '../support/table-dump.ts';
import { freshId, type TestDependencies, testDependencies } from '../support/table.ts';

let deps: TestDependencies;
let at: string;
beforeEach(async () => {
  // A time of its own for each test, since all share a table.
  at = `20${String(30 + (freshId() % 60))}-0${1 + (freshId() % 9)}-1${freshId() % 10}T03:00:00.${String(freshId() % 1000).padStart(3, '0')}Z`;
  deps = await testDependencies({ clock: fixedClock(at) });
});

const played = async (...args: string[]) => {
  const { exitCode, stdout, stderr, progress } = await playOperator(deps, args);
  return { exitCode, stderr, progress, body: (stdout === '' ? undefined : JSON.parse(stdout)) as never };
};
const changes = async () =>
  ((await played('changes', 'list', '--from', at)).body as { items: object[] }).items;

describe('the record of what operators change', () => {
  it('says who ran which command with which flags, and how it ended', async () => {
    const { body: team } = await played('team', 'create', '--name', 'Villas of Đà Lạt');
    const { team_id } = team as { team_id: number };
    expect(await changes()).toEqual([
      {
        change_id: expect.any(Number) as number,
        ...{ at, by: 'operator of this test', command: 'team create' },
        flags: { name: 'Villas of Đà Lạt' },
        ...{ state: 'DONE', ids: { team_id } },
      },
    ]);
  });

  it('has what failed, with the code of the error, newest first', async () => {
    await played('team', 'create', '--name', 'One');
    deps.clock.advance(1000);
    expect((await played('key', 'revoke', '--key', '5')).exitCode).toBe(1);
    expect(await changes()).toMatchObject([
      { command: 'key revoke', flags: { key: '5' }, state: 'FAILED', error: 'NOT_FOUND' },
      { command: 'team create', state: 'DONE' },
    ]);
  });

  it('has no address of a person, and nothing of what only reads, is refused or is a dry run', async () => {
    const { body } = await played('team', 'create', '--name', 'Two');
    const team = String((body as { team_id: number }).team_id);
    const email = `${freshId()}@operator.example`;
    await played('member', 'remove', '--team', team, '--email', email);
    await played('member', 'list', '--team', team);
    await played('member', 'remove', '--team', 'none', '--email', email);
    await played('key', 'create', '--team', team, '--dry-run');
    const found = await changes();
    expect(found).toHaveLength(2);
    expect(JSON.stringify(found)).not.toContain(email);
  });

  it('never has the text of a key', async () => {
    const { body } = await played('team', 'create', '--name', 'Three');
    const team = String((body as { team_id: number }).team_id);
    const made = await played('key', 'create', '--team', team);
    const { api_key, key_id } = made.body as { api_key: string; key_id: number };
    expect(await changes()).toMatchObject([{ ids: { key_id } }, {}]);
    expect(JSON.stringify([...(await tableDump()).values()])).not.toContain(api_key);
  });

  it('is a STARTED one where the process died, and does not stop a repair where the table cannot be written', async () => {
    const { table } = deps;
    const broken = new Proxy(table, {
      get: (target, name: keyof typeof table) =>
        name === 'put'
          ? () => Promise.reject(new Error('throttled'))
          : (...given: never[]): unknown => (target[name] as (...all: never[]) => unknown)(...given),
    });
    const { exitCode, progress } = await playOperator({ ...deps, table: broken }, [
      'team',
      'create',
      '--name',
      'Four',
    ]);
    expect(exitCode).toBe(0);
    expect(progress).toContain('This change could not be recorded (team create, STARTED).');
    expect(await changes()).toEqual([]);
  });

  it('reaches over months', async () => {
    await played('team', 'create', '--name', 'Five');
    deps.clock.advance(70 * 86_400_000);
    await played('team', 'create', '--name', 'Six');
    const names = (await changes()) as { flags: { name: string } }[];
    expect(names.map(({ flags }) => flags.name)).toEqual(['Six', 'Five']);
  });
});

describe('the flags of commands that change something', () => {
  const flags = Object.values(commandGroups)
    .flatMap((verbs) => Object.values(verbs))
    .filter(({ changes: isChange }) => isChange)
    .flatMap((command) => Object.entries(allFlags(command)));

  it('that are addresses of people are marked as such', () => {
    for (const [name, { meaning, isPersonal }] of flags)
      if (/e-?mail\b|<address>/i.test(`${name} ${meaning}`))
        expect(isPersonal, `${name} ${meaning}`).toBe(true);
  });
});
