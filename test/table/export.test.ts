import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { progressOn } from '../../infra/operator/standard-streams.ts';
import { IdempotencyEntity } from '../../shared/platform/http/idempotency.entity.ts';
import { put } from '../../shared/platform/table/index.ts';
import { answerOf, playOperator, refusalOf } from '../support/operator.ts';
import { tableDump } from '../support/table-dump.ts';
import { freshId, type TestDependencies, testDependencies, testUser } from '../support/table.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'nightlatch-export-'))));
afterAll(() => rm(folder, { recursive: true }));

let deps: TestDependencies;
beforeEach(async () => void (deps = await testDependencies()));

interface Line {
  Item: Record<string, { S?: string; B?: string }>;
}
const linesOf = (text: string): Line['Item'][] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as Line).Item);
const keyOf = ({ pk, sk }: Line['Item']): string => `${pk?.S} ${sk?.S}`;

/** Users large enough for several pages of 1 MB in each of the segments. */
const fill = async () => {
  for (let at = 0; at < 60; at++) await testUser(deps, { full_name: 'x'.repeat(200_000) });
};

test('an export has every item once, whatever the pages are, and binary as base64', async () => {
  await fill();
  const scope = `user:${freshId()}#packed`;
  const answer = { scope, fingerprint: 'f', request_id: 'r', status: 200, body: '', kept_until: 1 };
  await deps.table.put(put(IdempotencyEntity, { ...answer, packed: new Uint8Array([0, 255, 7]) }));
  const played = await playOperator(deps, ['table', 'export', '--out', '-']);
  expect({ ...played, output: '' }).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  const items = linesOf(played.output).filter(({ entity }) => entity?.S !== 'RateWindow');
  const dump = await tableDump();
  expect(items.map(keyOf).sort()).toEqual([...dump.keys()].sort());
  expect(items.find(({ pk }) => pk?.S === `IDEMPOTENCY#${scope}`)?.['packed']).toEqual({ B: 'AP8H' });
}, 60_000);

test('an export to a file is for its owner alone, and never replaces a file', async () => {
  await testUser(deps);
  const out = join(folder, 'items.jsonl');
  const counts = answerOf(await playOperator(deps, ['table', 'export', '--out', out]));
  const text = await readFile(out, 'utf8');
  expect(counts).toEqual({ file: out, items: linesOf(text).length, bytes: Buffer.byteLength(text) });
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  const again = refusalOf(await playOperator(deps, ['table', 'export', '--out', out]));
  expect(again).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('EEXIST') as string,
  });
  expect(await readFile(out, 'utf8')).toBe(text);
});

test('progress is for terminals', () => {
  const shownOn = (isTTY: boolean): unknown => {
    const error = Object.assign(new PassThrough(), { isTTY });
    progressOn({ input: new PassThrough(), output: new PassThrough(), error })('7 items');
    return (error.read() as Buffer | null)?.toString().trim();
  };
  expect([shownOn(true), shownOn(false)]).toEqual(['7 items', undefined]);
});
