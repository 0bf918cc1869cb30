import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Log } from '../../infra/local/log.ts';
import { withProgress } from '../../infra/local/progress.ts';
import { prove } from './prove.ts';
import { proveService, shorten } from './service/prove-service.ts';
import { pageOf } from './service/shrink.ts';

/** What a long run has played, kept so that the next call goes on. */
interface State {
  /** Of the next part. */
  seed: number;
  parts: number;
  schedules: number;
  histories: number;
  requests: number;
  hours: number;
  cpuSeconds: number;
  failures: string[];
}

interface Options {
  hours: number;
  /** Ends at the first failure. */
  stops: boolean;
  say: Log;
  log: Log;
  /** Where the state is kept, and what a part plays. */
  folder?: string;
  part?: { schedules: number; histories: number };
}

const defaultFolder = 'node_modules/.cache/prove';

const readState = (file: string): State =>
  existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as State)
    : {
        ...{ seed: randomInt(2 ** 30), parts: 0, schedules: 0, histories: 0 },
        ...{ requests: 0, hours: 0, cpuSeconds: 0, failures: [] },
      };

/** Plays parts with successive seeds until its time is over or it is interrupted; returns whether nothing has failed. */
export const runLong = async ({ hours, stops, say, log, ...options }: Options): Promise<boolean> => {
  const { folder = defaultFolder, part = { schedules: 500, histories: 1 } } = options;
  const file = `${folder}/long.json`;
  mkdirSync(folder, { recursive: true });
  const state = readState(file);
  const failedBefore = state.failures.length;
  const end = performance.now() + hours * 3_600_000;
  const stopping = { isAsked: false };
  const stop = (): void => {
    if (stopping.isAsked) process.exit(130);
    log('stopping after this part; once more stops at once');
    stopping.isAsked = true;
  };
  process.on('SIGINT', stop);
  say(state.parts === 0 ? `A long run, first seed ${state.seed}` : `It goes on at seed ${state.seed}`);
  const line = (seconds: number): string => `seed ${state.seed}, ${countsOf(state)}, ${seconds} s`;
  try {
    await withProgress({ log, line }, async (tick) => {
      do {
        await playPart(state, part, say, tick);
        writeFileSync(file, JSON.stringify(state, null, 2));
        if (stops && state.failures.length > failedBefore) break;
      } while (performance.now() < end && !stopping.isAsked);
    });
  } finally {
    process.off('SIGINT', stop);
  }
  for (const text of summaryOf(state, file)) say(text);
  return state.failures.length === failedBefore;
};

const countsOf = ({ schedules, histories, failures }: State): string =>
  `${schedules} schedules, ${histories} histories, ${failures.length} failures`;

const summaryOf = (state: State, file: string): string[] => [
  `${countsOf(state)} in ${state.parts} parts`,
  `  ${state.requests} requests of schedules, ${state.hours.toFixed(0)} simulated hours of the service, ${state.cpuSeconds.toFixed(0)} s of CPU`,
  ...state.failures.map((failure) => `  => ${failure}`),
  `The next call goes on at seed ${state.seed}; remove ${file} to begin again.`,
];

const playPart = async (
  state: State,
  part: { schedules: number; histories: number },
  say: Log,
  tick: () => void,
): Promise<void> => {
  const { seed } = state;
  const proof = await prove({ schedules: part.schedules, seed });
  tick();
  if (proof.failure) {
    const { path, problems, history } = proof.failure;
    for (const text of [...history, ...problems.map((problem) => `=> ${problem}`)]) say(`  ${text}`);
    state.failures.push(`${problems[0] ?? ''}: npm run prove -- --seed ${seed} --path ${path}`);
  }
  const before = process.cpuUsage();
  const { failure, ...service } = await proveService({ histories: part.histories, seed });
  tick();
  if (failure) {
    const shrunk = await shorten(failure, { bug: undefined, onShorter: tick });
    for (const text of pageOf(shrunk)) say(`  ${text}`);
    state.failures.push(
      `${failure.problems[0] ?? ''}: npm run prove -- --seed ${shrunk.seed} --service-history 0 --less '${JSON.stringify(shrunk.less)}'`,
    );
  }
  const { user, system } = process.cpuUsage(before);
  state.seed++;
  state.parts++;
  state.schedules += proof.schedules;
  state.histories += service.histories;
  state.requests += proof.coverage.asked;
  state.hours += service.coverage.hours;
  state.cpuSeconds += proof.cpuMs / 1000 + (user + system) / 1e6;
};
