import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryStage } from './memory/stage.ts';
import { auditProblems } from './schedule/audit-problems.ts';
import { anyPlan } from './schedule/plan.ts';
import { runPlan } from './schedule/run.ts';
import { makeVirtual } from './schedule/virtual.ts';
import { seededBugs } from './seeded-bugs.ts';

/** The bugs that leave records which disagree, by the rule of the audit that finds them without any other check. */
const foundBy: Record<string, string> = {
  'months written whatever they have become': 'entry-without-hours',
  'live locks overlooked': 'soft-lock-differs',
  'parent not checked by its child': 'hour-taken-twice',
  'month border off by one': 'entry-without-hours',
  'confirm does not consume the lock': 'entry-without-hours',
  'event of a booking forgotten': 'state-without-event',
  'calendar and records in two transactions': 'hours-without-entry',
  'cancelled time stays taken': 'hours-without-entry',
};

describe('the audit of the service finds, in the table alone,', () => {
  it.each(Object.entries(foundBy))('"%s", by %s', async (name, rule) => {
    makeVirtual();
    const bug = seededBugs.find((one) => one.name === name)!;
    const plans = fc.sample(anyPlan(), { numRuns: 300, seed: 2027 });
    const undo = bug.patch?.();
    try {
      const found: string[] = [];
      for (const plan of plans) {
        const stage = await memoryStage(bug.tamper);
        const { now } = await runPlan(plan, stage);
        found.push(...(await auditProblems(stage, now)));
        if (found.some((problem) => problem.includes(` ${rule}:`))) break;
      }
      expect(found).toContainEqual(expect.stringContaining(` ${rule}:`));
    } finally {
      undo?.();
    }
  });
});
