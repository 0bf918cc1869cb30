import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryStage } from './memory/stage.ts';
import { prove } from './prove.ts';
import { historyText } from './schedule/history.ts';
import { anyPlan } from './schedule/plan.ts';
import { runPlan } from './schedule/run.ts';
import { hourText } from './schedule/scene.ts';
import { makeVirtual } from './schedule/virtual.ts';
import { seededBugs } from './seeded-bugs.ts';

const seed = 2027;

describe('no two live stays ever share an hour', { timeout: 60_000 }, () => {
  it(`in 400 random schedules (seed ${seed}; more: npm run prove)`, async () => {
    const { failure, coverage } = await prove({ schedules: 400, seed });
    expect(failure).toBeUndefined();
    expect(coverage.points).toBeGreaterThan(5000);
    expect(coverage.faults.size).toBe(9);
    for (const manner of ['throttled', 'unprocessed', 'short page'])
      expect(coverage.weather.get(manner), manner).toBeGreaterThan(0);
    expect(coverage.requests.size).toBeGreaterThanOrEqual(11);
    const answers = [...coverage.answers.keys()];
    expect(answers).toEqual(expect.arrayContaining(['confirmHeld 201', 'confirmHeld 410 CHECKOUT_EXPIRED']));
  });

  it('and a schedule that is played again goes the same way', async () => {
    makeVirtual();
    for (const plan of fc.sample(anyPlan(), { numRuns: 30, seed })) {
      const [first, second] = [
        await runPlan(plan, await memoryStage()),
        await runPlan(plan, await memoryStage()),
      ];
      const lines = ({ history }: typeof first) =>
        historyText(history, hourText).map((line) => line.replace(/\d{12,}/g, 'id'));
      expect(lines(second)).toEqual(lines(first));
    }
  });
});

describe('the checker sees', { timeout: 60_000 }, () => {
  it.each(seededBugs)('$name', async (bug) => {
    const { failure } = await prove({ schedules: 1500, seed: 7, bug, asFound: true });
    expect(failure?.problems).not.toEqual([]);
    expect(failure?.path).toBeDefined();
  });

  it('and shows a short history, which its seed and path bring back', async () => {
    const bug = seededBugs.find(({ name }) => name === 'month border off by one');
    expect(bug).toBeDefined();
    const { failure } = await prove({ schedules: 100, seed, bug: bug! });
    expect(failure?.history.length).toBeLessThanOrEqual(12);
    const again = await prove({ schedules: 1, seed, path: failure!.path, bug: bug!, asFound: true });
    expect(again.failure?.problems).toEqual(failure?.problems);
  });
});
