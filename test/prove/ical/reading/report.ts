import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Log, reason } from '../../../../infra/local/log.ts';
import { withProgress } from '../../../../infra/local/progress.ts';
import { compareFolder } from './compare-folder.ts';
import { compareRandom } from './compare-random.ts';
import type { Compared, Verdict } from './compare-reading.ts';
import { explained } from './explained.ts';
import { recordOf, type Recorded } from './recorded.ts';
import { type Hours, isSameHours } from './taken-hours.ts';

interface Options {
  /** A folder with `.ics` files, or `random`. */
  calendars: string;
  cases: number;
  seed: number;
  /** Writes what the independent reader takes into the folder. */
  records: boolean;
  say: Log;
  log: Log;
}

/** Compares our reader with the independent one, over files or over random calendars; returns whether each difference is explained. */
export const reportCalendars = async (options: Options): Promise<boolean> => {
  try {
    return await (options.calendars === 'random' ? reportRandom(options) : reportFolder(options));
  } catch (error) {
    options.say(`=> ${reason(error)}`);
    return false;
  }
};

type Counts = Record<Verdict | 'explained', number>;

const none = (): Counts => ({ same: 0, reported: 0, explained: 0, differs: 0 });
const sum = (counts: Counts): number => Object.values(counts).reduce((one, other) => one + other, 0);
const textOf = ({ same, reported, explained: why, differs }: Counts): string =>
  `${same} the same, ${reported} reported, ${why} explained, ${differs} differ`;

const without = (one: Compared['ours'], other: Compared['theirs']): string => {
  if (typeof one === 'string') return one;
  const rest = one.filter(
    (hours) => typeof other === 'string' || !other.some((each) => isSameHours(each, hours)),
  );
  const text = ([from, until]: Hours) => `${from} to ${until}`;
  return rest.length === 0 ? 'nothing else' : rest.slice(0, 5).map(text).join(', ');
};

const differenceOf = ({ ours, theirs, home, now }: Compared): string[] => [
  `  read at ${now} for ${home.timezone}`,
  `  ours alone: ${without(ours, theirs)}`,
  `  the other alone: ${without(theirs, ours)}`,
];

const reportFolder = async ({ calendars, records, say, log }: Options): Promise<boolean> => {
  const counts = none();
  const byLibrary = new Map<string, Counts>();
  const recorded: Record<string, Recorded[]> = {};
  const line = (seconds: number): string => `${sum(counts)} files, ${seconds} s`;
  await withProgress({ log, line }, async (tick) => {
    for await (const { file, verdict, reading, readings } of compareFolder(calendars)) {
      tick();
      const why = Object.entries(explained).find(([end]) => `/${file}`.endsWith(`/${end}`))?.[1];
      const counted = verdict === 'differs' && why !== undefined ? 'explained' : verdict;
      const library = file.split('/')[0] ?? '';
      const ofLibrary = byLibrary.get(library) ?? none();
      byLibrary.set(library, ofLibrary);
      for (const each of [counts, ofLibrary]) each[counted] += 1;
      if (verdict === 'same') recorded[file] = readings.flatMap(recordOf);
      if (verdict === 'differs') say(`${file}: ${why ?? 'DIFFERS'}`);
      if (counted === 'differs') differenceOf(reading).forEach((text) => say(text));
    }
  });
  if (records) {
    const lines = Object.entries(recorded).map(
      ([file, taken]) => `${JSON.stringify(file)}: ${JSON.stringify(taken)}`,
    );
    writeFileSync(join(calendars, 'independent.json'), `{\n${lines.join(',\n')}\n}\n`);
  }
  for (const [library, each] of byLibrary) say(`${library}: ${sum(each)} files, ${textOf(each)}`);
  say(`${sum(counts)} files, ${textOf(counts)}`);
  if (sum(counts) === 0) say(`There is no .ics file below ${calendars}.`);
  return counts.differs === 0 && sum(counts) > 0;
};

const reportRandom = async ({ cases, seed, say, log }: Options): Promise<boolean> => {
  const counts = none();
  const line = (seconds: number): string => `${sum(counts)} of ${cases} calendars, ${seconds} s`;
  await withProgress({ log, line }, async (tick) => {
    for await (const { seed: each, text, readings } of compareRandom(seed, cases)) {
      tick();
      const found = readings.find(({ verdict }) => verdict === 'differs');
      counts[found?.verdict ?? readings[0]?.verdict ?? 'differs'] += 1;
      if (!found) continue;
      say(`\n${text}`);
      differenceOf(found).forEach((part) => say(part));
      say(`  play it again: npm run prove -- --calendars random --seed ${each} --histories 1`);
    }
  });
  say(`${sum(counts)} calendars, ${textOf(counts)}`);
  return counts.differs === 0;
};
