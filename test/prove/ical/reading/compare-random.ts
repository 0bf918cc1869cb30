import { type Compared, compareReading, requestOf } from './compare-reading.ts';
import { readIndependently, type Request } from './independent-reader.ts';
import { randomCalendar } from './random-calendar.ts';

/** The reader must not depend on the zone of its process. */
const processZones = ['UTC', 'Asia/Ho_Chi_Minh', 'America/New_York'];

interface ComparedCase {
  seed: number;
  text: string;
  /** One for each zone of the process. */
  readings: Compared[];
}

function* requestsOf(seeds: readonly number[]): Generator<Request> {
  for (const seed of seeds) {
    const { text, home, now } = randomCalendar(seed);
    yield requestOf(text, home, [now]);
  }
}

/** Compares the two readers over random calendars, each read in three zones of the process. */
export async function* compareRandom(seed: number, cases: number): AsyncGenerator<ComparedCase> {
  const seeds = Array.from({ length: cases }, (_, at) => seed + at * 7919);
  const before = process.env['TZ'];
  let at = 0;
  try {
    for await (const answer of readIndependently(requestsOf(seeds))) {
      const each = seeds[at++] ?? seed;
      const { text, home, now } = randomCalendar(each);
      const readings = processZones.flatMap((zone) => {
        process.env['TZ'] = zone;
        return compareReading(text, home, [now], answer);
      });
      yield { seed: each, text, readings };
    }
  } finally {
    if (before === undefined) Reflect.deleteProperty(process.env, 'TZ');
    else process.env['TZ'] = before;
  }
}
