import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Entry } from './journal.ts';
import { runTests } from './run-tests.ts';

const contended = 'test/table/people-at-once.test.ts';
const file = 'test/unit/money.test.ts';
const name = 'the larger and the smaller of two amounts';
const killed = 'shared/platform/money.ts larger: one.gte(other) → negated';
const survivor = 'shared/platform/money.ts larger: one.gte as gt';

it('kills a mutant that changes an amount, and lets one live that changes nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const entries: Entry[] = [];
  const printed = await runTests(
    {
      journal: join(folder, 'journal.jsonl'),
      mode: 'repeat',
      tests: { [file]: { [name]: [survivor, killed] } },
    },
    join(folder, 'plan.json'),
    [file],
    (added) => entries.push(...added),
  );
  const found = entries.filter(({ what }) => what !== 'tried');
  expect(found, printed).toMatchObject([
    { what: 'survived', site: survivor, file, name },
    { what: 'killed', site: killed, file, name },
  ]);
}, 120_000);

it('knows of each test whether a condition of a write failed in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const entries: Entry[] = [];
  const plan = { journal: join(folder, 'journal.jsonl'), mode: 'record', tests: {} } as const;
  const printed = await runTests(plan, join(folder, 'plan.json'), [file, contended], (added) =>
    entries.push(...added),
  );
  const withConflict = entries.filter((entry) => entry.what === 'reached' && entry.hasConflict);
  expect(new Set(withConflict.map((entry) => entry.file)), printed).toEqual(new Set([contended]));
}, 120_000);
