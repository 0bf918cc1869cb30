import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runLong } from './long.ts';

it('a long run ends with a summary, and the next call goes on at the next seed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'long-'));
  const part = { schedules: 3, histories: 0 };
  const said: string[] = [];
  const run = () =>
    runLong({ hours: 0, stops: false, say: (line) => said.push(line), log: () => undefined, folder, part });
  const state = () => JSON.parse(readFileSync(join(folder, 'long.json'), 'utf8')) as { seed: number };
  try {
    expect(await run()).toBe(true);
    const { seed } = state();
    expect(await run()).toBe(true);
    expect(state()).toMatchObject({ seed: seed + 1, parts: 2, schedules: 6, histories: 0, failures: [] });
    expect(said[0]).toBe(`A long run, first seed ${seed - 1}`);
    expect(said).toContain(`It goes on at seed ${seed}`);
    expect(said).toContain('6 schedules, 0 histories, 0 failures in 2 parts');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
