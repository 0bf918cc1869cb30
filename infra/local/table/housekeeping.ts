import type { Clock } from '../../../shared/platform/clock.ts';
import { type Log, reason } from '../log.ts';
import type { TableServer } from './start-table.ts';
import { sweepExpired } from './sweep-expired.ts';

export interface Housekeeping {
  /** Sweeps now, e.g. after the test clock was moved. */
  sweep: () => Promise<void>;
  stop: () => Promise<void>;
}

const trimEveryMs = 2000;
const sweepEveryMs = 30_000;

/** What DynamoDB does by itself and the emulator does not: expired items and consumed stream records go. */
export const startHousekeeping = (options: {
  table: TableServer;
  tableName: string;
  /** Every consumer of the stream: a record stays until the slowest has it. */
  streams: readonly { position: () => string | undefined }[];
  clock: Clock;
  log: Log;
}): Housekeeping => {
  const { table, tableName, streams, clock, log } = options;
  let running: Promise<void> = Promise.resolve();
  const sweep = (): Promise<void> =>
    (running = running.then(async () => {
      await sweepExpired({ endpoint: table.endpoint, tableName, nowMs: clock.now() }).catch(
        (error: unknown) => log(`Expired items could not be swept: ${reason(error)}`),
      );
    }));
  const trim = (): void => {
    const positions = streams.map((stream) => stream.position());
    if (positions.length === 0 || positions.includes(undefined)) return;
    const lowest = positions.map((each) => BigInt(each ?? 0)).reduce((a, b) => (a < b ? a : b));
    table.file?.trim(tableName, String(lowest));
  };
  // Only our own emulator is kept clean: any other endpoint sees to itself.
  const timers =
    table.file === undefined
      ? []
      : [setInterval(trim, trimEveryMs), setInterval(() => void sweep(), sweepEveryMs)];
  return {
    sweep,
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await running;
    },
  };
};
