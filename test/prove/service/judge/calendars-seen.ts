import { cpuMsSince } from '../../cpu-time.ts';
import { judgeFamily } from '../../linear/problems.ts';
import { serviceFamilies } from '../../linear/service-calls.ts';
import { withTimes } from '../../linear/service-links.ts';
import { withRestored } from '../../linear/service-restored.ts';
import type { KnownHome } from '../../linear/service-homes.ts';
import type { Item } from '../../memory/values.ts';
import type { Answers } from '../client.ts';
import type { Platforms } from '../platforms.ts';
import type { Town } from '../town.ts';

/** What the comparison of answers with an order of requests has cost, and found. */
export interface Linear {
  problems: string[];
  calls: number;
  families: number;
  /** Families whose search was too long. */
  undecided: number;
  cpuMs: number;
}

/** Above it a search that is not over says nothing. */
const mostSteps = 20_000;

/** Whether one order of all requests for a family of homes explains what customers, hosts and partners were answered. */
export const linearJudgement = (
  town: Town,
  answers: Pick<Answers, 'sent'>,
  { linked }: Pick<Platforms, 'linked'>,
  items: readonly Item[],
): Linear => {
  const before = process.cpuUsage();
  const house = town.homes.find(({ isHouse }) => isHouse);
  const familyOf = (id: number, isRoom: boolean): string => String(isRoom ? house?.id : id);
  const shared = new Set(linked.map(({ home }) => familyOf(home.id, home.isRoom)));
  const homes = town.homes.map(({ id, isRoom, isAccepted, isHourly }): KnownHome => {
    const family = familyOf(id, isRoom);
    return {
      id,
      family,
      parent: isRoom ? (house?.id ?? null) : null,
      isAccepted,
      isHourly,
      isShared: shared.has(family),
    };
  });
  const { sent } = answers;
  const families = withRestored(serviceFamilies({ sent: withTimes(sent, items) }, homes), sent, items);
  const judged = families.map((family) => judgeFamily(family, mostSteps));
  return {
    problems: judged.flatMap(({ problems }) => problems),
    calls: families.reduce((sum, { calls }) => sum + calls.length, 0),
    families: families.length,
    undecided: judged.filter(({ isDecided }) => !isDecided).length,
    cpuMs: cpuMsSince(before),
  };
};
