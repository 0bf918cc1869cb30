import { mkdirSync, writeFileSync } from 'node:fs';
import type { Log } from '../../../infra/local/log.ts';
import { withProgress } from '../../../infra/local/progress.ts';
import type { ServiceBug } from './bug.ts';
import type { Less } from './less.ts';
import { coverageLines, proveService, shorten } from './prove-service.ts';
import { pageOf } from './shrink.ts';

interface Options {
  histories: number;
  seed: number;
  only?: number;
  less?: Less | undefined;
  bug: ServiceBug | undefined;
  say: Log;
  log: Log;
}

/** Where a history that failed is written, since it has thousands of lines. */
const historyFile = '.local/service-history.txt';

/** Plays histories of the service and says what they covered; one that fails is shortened to a page. */
export const reportService = async ({ say, log, ...options }: Options): Promise<boolean> => {
  const { histories, seed, bug, less } = options;
  say(`\nThe whole service in simulated time, in a hostile world, seed ${seed}`);
  let played = 0;
  const line = (seconds: number): string => `${played} of ${histories} histories, ${seconds} s`;
  const proof = await withProgress({ log, line }, (tick) =>
    proveService({
      ...options,
      often: bug?.often,
      onProgress: (done) => {
        played = done;
        tick();
      },
    }),
  );
  say(`  ${proof.histories} histories in ${(proof.ms / 1000).toFixed(1)} s`);
  for (const figures of coverageLines(proof)) say(`  ${figures}`);
  const { failure } = proof;
  if (!failure) {
    say('  No promise broken.');
    return true;
  }
  const flags = bug ? ` --bug '${bug.name}'` : '';
  const again = (of: number, left: Less): string =>
    `npm run prove -- --seed ${of} --service-history 0 --less '${JSON.stringify(left)}'${flags}`;
  save(failure.lines);
  for (const problem of failure.problems) say(`  => ${problem}`);
  say(`The history is in ${historyFile}. Play it again: ${again(failure.seed, less ?? failure.less)}`);
  if (less) return false;
  const shorter = await shortened(failure, bug, log);
  for (const text of pageOf(shorter)) say(`  ${text}`);
  save(shorter.played.lines);
  say(`The shorter history is in ${historyFile}. Play it again: ${again(shorter.seed, shorter.less)}`);
  return false;
};

const save = (lines: readonly string[]): void => {
  mkdirSync('.local', { recursive: true });
  writeFileSync(historyFile, lines.join('\n'));
};

const shortened = (
  failure: Parameters<typeof shorten>[0],
  bug: ServiceBug | undefined,
  log: Log,
): ReturnType<typeof shorten> => {
  let best = failure.asked;
  const line = (seconds: number): string => `shortened to ${best} requests, ${seconds} s`;
  return withProgress({ log, line }, (tick) =>
    shorten(failure, {
      bug,
      often: bug?.often,
      onShorter: (asked) => {
        best = asked;
        tick();
      },
    }),
  );
};
