import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Coverage } from './coverage.ts';

it('what tests reach is recorded anew where nothing is kept, by the code that the gate has', () => {
  const coverage = new Coverage(join(tmpdir(), 'nothing-is-kept.json'));
  expect(coverage.stale([]).length).toBeGreaterThan(100);
});
