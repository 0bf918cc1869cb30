import type { Log } from '../../infra/local/log.ts';
import { withProgress } from '../../infra/local/progress.ts';
import { moneyBugs } from './money/planted.ts';
import type { MoneyBug } from './money/tampering-stays.ts';
import { proveMoney } from './money/prove-money.ts';
import { prove } from './prove.ts';
import { seededBugs } from './seeded-bugs.ts';
import type { ServiceBug } from './service/bug.ts';
import { serviceBugs } from './service/planted.ts';
import { proveService } from './service/prove-service.ts';

interface Options {
  seed: number;
  /** How much is played before a bug counts as not found. */
  most: { schedules: number; histories: number; money: number };
  say: Log;
  log: Log;
}

/** Plants each bug in turn and says how much was played until it was found; returns whether all were. */
export const listBugs = async ({ seed, most, say, log }: Options): Promise<boolean> => {
  say(`Planted bugs, seed ${seed}: found after so many schedules or histories`);
  let found = 0;
  let tried = 0;
  const all = seededBugs.length + moneyBugs.length + serviceBugs.length;
  const note = (name: string, what: string, played: number, isFound: boolean): void => {
    tried++;
    if (isFound) found++;
    say(`  ${isFound ? String(played).padStart(6) : 'none of ' + String(played)} ${what}  ${name}`);
  };
  await withProgress({ log, line: (seconds) => `${tried} of ${all} bugs, ${seconds} s` }, async (tick) => {
    for (const bug of seededBugs) {
      const { schedules, failure } = await prove({ schedules: most.schedules, seed, bug, asFound: true });
      note(bug.name, 'schedules', schedules, failure !== undefined);
      tick();
    }
    for (const bug of moneyBugs) {
      const { histories, isFound } = await findInMoney(bug, { seed, histories: most.money });
      note(bug.name, 'histories of money', histories, isFound);
      tick();
    }
    for (const bug of serviceBugs) {
      const { histories, cpuMs, isFound } = await findInService(bug, {
        seed,
        histories: most.histories,
        say,
      });
      note(bug.name, `histories, ${(cpuMs / 1000).toFixed(0)} s of CPU`, histories, isFound);
      tick();
    }
  });
  say(`${found} of ${all} were found.`);
  return found === all;
};

/** Plays histories of money until one fails that holds without the bug. */
export const findInMoney = async (
  bug: MoneyBug,
  { seed: usual, histories }: { seed: number; histories: number },
): Promise<{ histories: number; isFound: boolean }> => {
  const seed = bug.seed ?? usual;
  for (let only = 0; only < histories; only++) {
    const given = { histories, seed, only, asFound: true };
    if (!(await proveMoney({ ...given, bug })).failure) continue;
    if (!(await proveMoney(given)).failure) return { histories: only + 1, isFound: true };
  }
  return { histories, isFound: false };
};

/** Plays histories until one fails that holds without the bug. */
const findInService = async (
  bug: ServiceBug,
  { seed, histories, say }: { seed: number; histories: number; say: Log },
): Promise<{ histories: number; cpuMs: number; isFound: boolean }> => {
  let cpuMs = 0;
  const given = { histories, seed, often: bug.often };
  for (let only = 0; only < histories; only++) {
    const played = await proveService({ ...given, only, bug });
    cpuMs += played.cpuMs;
    if (!played.failure) continue;
    const { failure } = await proveService({ ...given, only });
    if (!failure) return { histories: only + 1, cpuMs, isFound: true };
    say(
      `  History ${only} fails without a bug too: npm run prove -- --seed ${seed} --service-history ${only}`,
    );
  }
  return { histories, cpuMs, isFound: false };
};
