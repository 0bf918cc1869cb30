import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Compared, compareReading, requestOf, type Verdict } from './compare-reading.ts';
import { readIndependently } from './independent-reader.ts';
import type { Home } from './taken-hours.ts';

const dayMs = 86_400_000;
const homes: Home[] = [{ timezone: 'Asia/Ho_Chi_Minh' }, { timezone: 'Europe/Berlin' }];
/** Of older calendars no listing is sold. */
const earliest = Date.UTC(2000, 0, 1);

/** Moments within a calendar's own time: the day before its first event, the middle one, the last, and a year later. */
const momentsIn = (text: string): number[] => {
  const written = text
    .replace(/^BEGIN:VTIMEZONE[\s\S]*?^END:VTIMEZONE/gm, '')
    .matchAll(/^(?:DTSTART|FREEBUSY)[^\r\n]*?[:](\d{4})(\d\d)(\d\d)/gm);
  const days = [...written]
    .map(([, year, month, day]) => Math.max(earliest, Date.parse(`${year}-${month}-${day}T03:00:00Z`)))
    .filter((ms) => ms < Date.UTC(2190, 0))
    .toSorted((one, other) => one - other);
  const [first = Date.UTC(2027, 0), middle = first, last = first] = [
    days[0],
    days[days.length >> 1],
    days.at(-1),
  ];
  return [...new Set([first - dayMs, middle - dayMs, last - dayMs, last + 400 * dayMs])];
};

interface ComparedFile {
  file: string;
  verdict: Verdict;
  /** The first one of this verdict. */
  reading: Compared;
  readings: Compared[];
}

const worst: Verdict[] = ['differs', 'reported', 'same'];

/** Compares the two readers over the calendars below a folder. */
export async function* compareFolder(folder: string): AsyncGenerator<ComparedFile> {
  const files = globSync('**/*.ics', { cwd: folder }).toSorted();
  const asked = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return homes.map((home) => ({ file, text, home, moments: momentsIn(text) }));
  });
  let readings: Compared[] = [];
  let at = 0;
  for await (const answer of readIndependently(
    asked.map(({ text, home, moments }) => requestOf(text, home, moments)),
  )) {
    const { file, text, home, moments } = asked[at++] as (typeof asked)[number];
    readings.push(...compareReading(text, home, moments, answer));
    if (home !== homes.at(-1)) continue;
    const verdict = worst.find((one) => readings.some((reading) => reading.verdict === one)) ?? 'same';
    const reading = readings.find((one) => one.verdict === verdict);
    if (reading) yield { file, verdict, reading, readings };
    readings = [];
  }
}
