import { TransactWriteCommand } from '../../../shared/platform/dynamodb/index.ts';
import { once } from '../../../shared/platform/once.ts';
import type { Stage } from '../schedule/run.ts';
import { calmWeather, type Weather, type WeatherKind } from '../schedule/plan.ts';
import { sceneWrites, start } from '../schedule/scene.ts';
import { seeded } from '../schedule/virtual.ts';
import { hostile, type Manners } from './manners.ts';
import type { Row } from './key-schema.ts';
import { SteppedTime } from './simulated-time.ts';
import { SimulatedTable } from './simulated-table.ts';

/** How long a call of the table takes, for lags; the clock of the service, which the plan moves, is another. */
const callMs = 20;

const mannersOf: Record<WeatherKind, Partial<Manners>> = {
  'index lag': { indexLag: hostile.indexLag },
  'stale reads': { staleReads: hostile.staleReads },
  throttling: { throttling: { rate: 0.03 } },
  'unprocessed keys': { unprocessed: { rate: 0.2 } },
  'short pages': { shortPages: { rate: 0.3 } },
  'late expiry': { lateExpiry: hostile.lateExpiry },
};

/** Returns a new scene in memory. */
export const memoryStage = async (
  tamper?: Stage['tamper'],
  { seed, manners }: Weather = calmWeather,
): Promise<Stage> => {
  const time = new SteppedTime(start);
  const table = new SimulatedTable({
    time,
    random: seeded(seed),
    manners: Object.assign({}, ...manners.map((kind) => mannersOf[kind])) as Partial<Manners>,
    rows: await prepared(),
  });
  return {
    backend: {
      execute: (command) => {
        time.advance(callMs);
        return table.execute(command);
      },
    },
    items: () => table.items(),
    itemsAtRest: async () => table.items(),
    effects: () => table.commits(),
    counts: () => table.counts(),
    sweep: (now) => table.expire(now),
    ...(tamper ? { tamper } : {}),
  };
};

const prepare = async (): Promise<readonly Row[]> => {
  const table = new SimulatedTable();
  const TransactItems = sceneWrites().map((write) => write.render('prove'));
  await table.execute(new TransactWriteCommand({ TransactItems }));
  return table.rows();
};

const prepared = once(prepare);
