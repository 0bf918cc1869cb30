/** Runs the requests of the comparison with the raw loop, one after the other: by a function, or bare. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { loadFunction } from '../../../infra/local/functions.ts';
import { answerCalls, ownCpuMs } from '../processes.ts';
import { openBare, wireOf } from './bare.ts';
import type { Recorded } from './recorder.ts';

/** What a run has taken, in milliseconds. */
export interface Taken {
  wallMs: number;
  cpuMs: number;
  /** Of each request. */
  latencies: number[];
  failed: number;
}

type Wired = Pick<Recorded, 'headers' | 'body' | 'status'>;

export interface FloorCalls {
  load: (what: { folder: string; group: string; settings: Record<string, string> }) => void;
  /** Calls the function with events. */
  run: (events: readonly APIGatewayProxyEvent[]) => Promise<Taken>;
  /** Sends the requests of verbs, each of which is a list of rounds; an answer has to be as it was recorded. */
  send: (what: { endpoint: string; verbs: readonly Wired[][][] }) => Promise<Taken>;
  [name: string]: (argument: never) => unknown;
}

const measured = async (count: number, one: (at: number) => Promise<boolean>): Promise<Taken> => {
  const latencies: number[] = [];
  let failed = 0;
  const cpu = ownCpuMs();
  const start = performance.now();
  for (let at = 0; at < count; at++) {
    const sent = performance.now();
    if (!(await one(at))) failed++;
    latencies.push(performance.now() - sent);
  }
  return { wallMs: performance.now() - start, cpuMs: ownCpuMs() - cpu, latencies, failed };
};

let handler: ReturnType<typeof loadFunction> | undefined;

answerCalls({
  load: ({ folder, group, settings }) => {
    Object.assign(process.env, settings);
    handler = loadFunction(folder, group, { SERVICE_NAME: group });
  },
  run: (events) =>
    measured(events.length, async (at) => {
      const context = { functionName: 'bench', getRemainingTimeInMillis: () => 29_000 };
      const { statusCode } = (await handler!(events[at], context)) as { statusCode: number };
      return statusCode < 300;
    }),
  send: async ({ endpoint, verbs }) => {
    const sockets = Math.max(...verbs.flat().map((round) => round.length));
    const connection = await openBare(endpoint, sockets);
    const wired = verbs.map((rounds) =>
      rounds.map((round) => ({
        requests: round.map((request) => wireOf(endpoint, request)),
        statuses: round.map(({ status }) => status).join(),
      })),
    );
    const taken = await measured(wired.length, async (at) => {
      let isSame = true;
      for (const { requests, statuses } of wired[at] ?? [])
        if ((await connection.send(requests)).join() !== statuses) isSame = false;
      return isSame;
    });
    connection.close();
    return taken;
  },
} satisfies FloorCalls);
