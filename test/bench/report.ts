import { availableParallelism, cpus } from 'node:os';
import type { Floor } from './floor/measure-floor.ts';
import type { Result } from './compare.ts';
import type { Compared, Load } from './measure-load.ts';
import { sdkAlone, type StartUp } from './start-up.ts';

/** Everything that a run of the bench has shown. */
export interface Report {
  date: string;
  command: string;
  listings: number;
  stays: number;
  floor: Floor[] | undefined;
  load: Load | undefined;
  startUp: StartUp[] | undefined;
}

/** A table as text: on the page, in the terminal and in the README. */
export interface Section {
  title: string;
  note: string;
  head: string[];
  rows: string[][];
}

/** Three significant digits, without an exponent. */
const text = (value: number): string =>
  !Number.isFinite(value)
    ? ''
    : value >= 100
      ? String(Math.round(value))
      : String(Number(value.toPrecision(3)));

export const machineText = (): string =>
  `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? ''}, Node ${process.version}`;

const cpuOf = ({ cpuMs }: Result): number => Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);

const comparedRow = ({ operation, ours, baseline }: Compared): string[] => [
  operation,
  text(ours.perSecond),
  baseline ? text(baseline.perSecond) : '',
  baseline ? text(ours.perSecond / baseline.perSecond) : '',
  `${text(ours.p50)} / ${text(ours.p99)}`,
  baseline ? `${text(baseline.p50)} / ${text(baseline.p99)}` : '',
  text(ours.cpuMs['function'] ?? 0),
  text(ours.cpuMs['emulator'] ?? 0),
  baseline ? `${text(baseline.cpuMs['service'] ?? 0)} + ${text(baseline.cpuMs['database'] ?? 0)}` : '',
  baseline ? text(cpuOf(baseline) / cpuOf(ours)) : '',
];

const comparedSection = (
  { listings, stays }: Report,
  { compared, items, postgres, seedSeconds }: Load,
): Section => ({
  title: postgres === undefined ? 'Requests a second' : `Requests a second, beside PostgreSQL ${postgres}`,
  note: `${listings} listings, 1,000 a city, ${stays} stays each: ${items} items, seeded in ${Math.round(seedSeconds)} s. 16 clients, an instance of each service for each core, rounds in turns, medians; only 2xx count, rate limits are off, no night is asked for twice. The workers stand still meanwhile. The baseline does not wait for the disk, as the emulator does not.`,
  head: [
    'operation',
    'ours',
    'baseline',
    'ratio',
    'p50 / p99 ms',
    'baseline',
    'CPU ms: function',
    'emulator',
    'baseline: service + database',
    'ratio',
  ],
  rows: compared.map(comparedRow),
});

const drainedSection = ({ drained }: Load): Section => ({
  title: 'After the answer',
  note: 'The bookings of the run, until the queues of every consumer are empty or the time for them is over; workers, queues, bus and stream are one process.',
  head: ['bookings', 'a second', 'CPU ms of a booking: workers', 'emulator'],
  rows: [
    [
      String(drained.bookings),
      text(drained.perSecond),
      text(drained.workersCpuMs),
      text(drained.emulatorCpuMs),
    ],
  ],
});

const floorSection = (floor: readonly Floor[]): Section => ({
  title: 'Beside the raw loop',
  note: 'One request at a time, the function called without HTTP. The raw loop sends the same requests to the emulator over kept sockets, without SDK, signature or parsing.',
  head: [
    'operation',
    'a second',
    'raw loop',
    'share',
    'p50 / p99 ms',
    'CPU ms: function',
    'raw loop',
    'emulator',
    'round trips',
    'RCU',
    'WCU',
    'log bytes',
  ],
  rows: floor.map((one) => [
    one.operation,
    text(one.perSecond),
    one.trips > 0 ? text(one.barePerSecond) : '',
    one.trips > 0 ? text(one.share) : '',
    `${text(one.p50)} / ${text(one.p99)}`,
    ...[one.cpuMs, one.bareCpuMs, one.emulatorCpuMs, one.trips, one.readUnits, one.writeUnits].map(text),
    text(one.logBytes),
  ]),
});

const startUpSection = (startUp: readonly StartUp[]): Section => {
  const both = ({ importMs, firstMs }: StartUp) => importMs + firstMs;
  const sdk = startUp.find(({ name }) => name === sdkAlone);
  return {
    title: 'Start of each bundle',
    note: `CPU milliseconds above an empty process: import, then the first request, a sample event of the function. Medians of new processes. The share is that of the bundle with ${sdkAlone}, which reads one item.`,
    head: ['function', 'KB', 'import', 'first request', 'both', 'share'],
    rows: startUp.map((one) => [
      ...[one.name, String(one.kilobytes), text(one.importMs), text(one.firstMs), text(both(one))],
      sdk ? text(both(one) / both(sdk)) : '',
    ]),
  };
};

export const sectionsOf = (report: Report): Section[] => [
  ...(report.load ? [comparedSection(report, report.load), drainedSection(report.load)] : []),
  ...(report.floor ? [floorSection(report.floor)] : []),
  ...(report.startUp ? [startUpSection(report.startUp)] : []),
];

/** Returns a section as a Markdown table. */
export const markdownOf = ({ head, rows }: Section): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Returns a section as text in columns. */
export const columnsOf = ({ title, note, head, rows }: Section): string => {
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((cells) => cells[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [`\n${title}`, note, '', ...all.map(line)].join('\n');
};
