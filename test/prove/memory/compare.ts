import { isSameResult, plainResult } from './compared.ts';
import type { Engine } from './engines.ts';
import { RandomHistory } from './random-history.ts';
import { type Backend, SimulatedTable } from './simulated-table.ts';

interface Comparison {
  histories: number;
  commands: number;
  /** How many replies were errors. */
  rejected: number;
  /** How often the engine deviated as it is known to. */
  tolerated: Record<string, number>;
  /** The first difference of each history that has one, with its seed. */
  differences: string[];
}

interface Options {
  engine: Engine;
  backend: Backend;
  histories: number;
  seed: number;
  /** Commands of one history. */
  length?: number;
  onProgress?: () => void;
}

const together = 8;

/** Runs random histories on an engine and on the simulated table, and compares every answer and error. */
export const compareHistories = async (options: Options): Promise<Comparison> => {
  const { histories, seed } = options;
  const total: Comparison = { histories, commands: 0, rejected: 0, tolerated: {}, differences: [] };
  const seeds = Array.from({ length: histories }, (_, at) => seed + at);
  const work = async (): Promise<void> => {
    for (let next = seeds.shift(); next !== undefined; next = seeds.shift()) {
      await compareHistory(next, options, total);
      options.onProgress?.();
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return total;
};

const compareHistory = async (
  seed: number,
  { engine, backend, length = 40 }: Options,
  total: Comparison,
): Promise<void> => {
  const history = new RandomHistory(seed, `h${seed}-`, engine.skips);
  const model = new SimulatedTable();
  for (let step = 0; step < length; step++) {
    const command = history.next();
    const [theirs, ours] = await Promise.allSettled([backend.execute(command), model.execute(command)]);
    const [said, modelled] = [plainResult(theirs), plainResult(ours)];
    total.commands++;
    if (modelled['error'] !== undefined) total.rejected++;
    // A page is continued where the engine continues it.
    if (theirs.status === 'fulfilled') history.heard(command, theirs.value);
    if (isSameResult(said, modelled)) continue;
    const deviation = engine.deviations.find(({ holds }) => holds(modelled, said));
    if (deviation) {
      total.tolerated[deviation.says] = (total.tolerated[deviation.says] ?? 0) + 1;
      continue;
    }
    const asked = `${command.constructor.name} ${JSON.stringify(command.input, shown)}`;
    total.differences.push(
      `seed ${seed}, command ${step + 1}: ${asked}\n${engine.name} ${JSON.stringify(said)}\nsimulated ${JSON.stringify(modelled)}`,
    );
    return;
  }
};

const shown = (_: string, value: unknown): unknown => {
  if (value instanceof Set) return { set: [...value] };
  return typeof value === 'string' && value.length > 200 ? `${value.slice(0, 20)}…` : value;
};
