import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readStageFile } from '../../infra/cloud/stage-file.ts';
import { stageFrom } from '../../infra/cloud/stage.ts';
import { leastFile } from '../infra/cloud/stages.ts';
import { answerOf, playOperator, refusalOf } from '../support/operator.ts';
import { type AwsTable, restoringAws, streamArnOf } from '../support/restoring-aws.ts';
import { testDependencies } from '../support/table.ts';

const source: AwsTable = {
  status: 'ACTIVE',
  stream: 'NEW_AND_OLD_IMAGES',
  ttl: 'expires_at',
  recoveryDays: 35,
  isProtected: true,
  limit: { MaxReadRequestUnits: 2000, MaxWriteRequestUnits: 500 },
  indexLimit: { MaxReadRequestUnits: 2000, MaxWriteRequestUnits: -1 },
  tags: { service: 'nightlatch', 'aws:cloudformation:stack-name': 'x', stage: 'staging' },
};
const at = '2027-01-15T03:00:00Z';
const copied: AwsTable = {
  ...source,
  tags: { service: 'nightlatch', stage: 'staging' },
  restored: { from: 'nightlatch-staging', at: new Date(at) },
};

let aws: ReturnType<typeof restoringAws>;
beforeEach(() => void (aws = restoringAws('nightlatch-staging', { ...source })));
afterEach(() => aws.restoreClient());

interface Given {
  tableName?: string;
  /** Undefined: a laptop. */
  generation?: number | undefined;
}

const play = async (line: string, given: Given = {}) =>
  playOperator(await testDependencies(), line.split(' '), {
    stage: 'staging',
    recovery: {
      ...{ tableName: 'nightlatch-staging', generation: 1, ...given },
      control: aws.control,
      itemsOf: () => ({ scan: () => Promise.reject(new Error('nothing is read')) }),
      ledger: () => Promise.reject(new Error('nothing is asked')),
    },
  });
const start = (given = {}) => play(`restore start --at ${at}`, given);
const copy = () => aws.tables.get('nightlatch-staging-g2');

describe('restore start', () => {
  test('gives the copy everything that its origin has and a restore leaves out, and changes the origin in nothing', async () => {
    const answer = answerOf<Record<string, unknown>>(await start());
    expect(copy()).toEqual(copied);
    expect(aws.tables.get('nightlatch-staging')).toEqual(source);
    // The stream is last: nothing is published before everything else is as it must be.
    expect(aws.changes).toEqual(['restore', 'ttl', 'recovery', 'protection', 'limits', 'tags', 'stream']);
    expect(answer).toMatchObject({
      table: 'nightlatch-staging-g2',
      restored_from: 'nightlatch-staging',
      at: '2027-01-15T03:00:00.000Z',
    });
    expect(aws.progress).toContain('nightlatch-staging-g2 is being restored');
  });

  test('prints what the stage file takes', async () => {
    const { put_into_stage_file } = answerOf<{ put_into_stage_file: object }>(await start());
    const text = JSON.stringify({ ...leastFile, ...put_into_stage_file });
    expect(stageFrom('staging', readStageFile('stages/staging.json', text))).toMatchObject({
      tableName: 'nightlatch-staging-g2',
      release: { pace: 'at_once' },
      table: { stream_arn: streamArnOf('nightlatch-staging-g2') },
    });
  });

  test('is continued by the next run, wherever the one before it died', async () => {
    aws.dieAt(-1, false);
    await start();
    const calls = aws.live();
    expect(calls).toBeGreaterThan(20);
    for (let call = 0; call < calls; call++)
      for (const carriedOut of [false, true]) {
        aws.restoreClient();
        aws = restoringAws('nightlatch-staging', { ...source });
        aws.dieAt(call, carriedOut);
        expect((await start()).exitCode, `call ${call}`).toBe(1);
        aws.live();
        answerOf(await start());
        expect(copy(), `call ${call}`).toEqual(copied);
        expect(new Set(aws.changes).size, `call ${call}`).toBe(aws.changes.length);
      }
  });

  test('is made once by two runs at the same time', async () => {
    const both = await Promise.all([start(), start()]);
    expect(answerOf(both[0])).toEqual(answerOf(both[1]));
    expect(copy()).toEqual(copied);
    expect(aws.changes.filter((what) => what === 'restore')).toHaveLength(1);
  });

  test('changes nothing when everything is done, also with the new table in the stage file', async () => {
    const first = answerOf(await start());
    const changes = aws.changes.length;
    expect(answerOf(await start())).toEqual(first);
    expect(answerOf(await start({ tableName: 'nightlatch-staging-g2', generation: 2 }))).toEqual(first);
    expect(aws.changes).toHaveLength(changes);
  });

  test('makes the next generation of a table that was restored before', async () => {
    answerOf(await start());
    const line = 'restore start --at 2027-01-15T04:00:00Z';
    const next = answerOf<{ table: string; put_into_stage_file: { table: object } }>(
      await play(line, { tableName: 'nightlatch-staging-g2', generation: 2 }),
    );
    expect(next).toMatchObject({
      table: 'nightlatch-staging-g3',
      restored_from: 'nightlatch-staging-g2',
      put_into_stage_file: { table: { generation: 3 } },
    });
  });

  test('refuses another instant while its table exists, and touches neither', async () => {
    answerOf(await start());
    const before = [...aws.changes];
    for (const dry of ['', ' --dry-run']) {
      const refusal = refusalOf(await play(`restore start --at 2027-01-15T02:00:00Z${dry}`));
      expect(refusal.message).toContain(
        'nightlatch-staging-g2 exists already and is nightlatch-staging as it stood at 2027-01-15T03:00:00.000Z',
      );
    }
    expect(aws.changes).toEqual(before);
  });

  test('refuses a table of that name which was made otherwise', async () => {
    aws.tables.set('nightlatch-staging-g2', { ...source });
    expect(refusalOf(await start()).message).toContain('was not restored from another table');
  });

  test.each(['2026-12-31T23:59:59Z', '2027-01-15T04:55:01Z'])(
    'refuses %s, to which nothing can be restored',
    async (instant) => {
      for (const dry of ['', ' --dry-run'])
        expect(refusalOf(await play(`restore start --at ${instant}${dry}`)).message).toContain(
          'from 2027-01-01T00:00:00.000Z to 2027-01-15T04:55:00.000Z',
        );
      expect(aws.changes).toEqual([]);
    },
  );

  test('changes nothing in a dry run', async () => {
    const answer = answerOf(await play(`restore start --at ${at} --dry-run`));
    expect(answer).toMatchObject({ dry_run: true, table: 'nightlatch-staging-g2', exists: false });
    expect(aws.changes).toEqual([]);
  });

  test('is for a stage: on a laptop a folder is copied', async () => {
    const { message } = refusalOf(await play(`restore start --at ${at}`, { generation: undefined }));
    expect(message).toContain('copy DATA_DIR');
  });
});

describe('restore finish', () => {
  test('is refused while the table lacks a setting, which it names', async () => {
    answerOf(await start());
    const made = copy() as AwsTable;
    aws.tables.set('nightlatch-staging-g2', { ...made, ttl: undefined, stream: undefined });
    const there = { tableName: 'nightlatch-staging-g2', generation: 2 };
    for (const line of ['restore finish', 'restore finish --dry-run'])
      expect(refusalOf(await play(line, there)).message).toBe(
        'nightlatch-staging-g2 lacks: expiry, stream. Run `restore start` again with the same instant.',
      );
    answerOf(await start(there));
    expect(copy()).toEqual(made);
  });

  test('is refused for a table that was not restored', async () => {
    expect(refusalOf(await play('restore finish')).message).toContain('was not restored by AWS');
  });
});
