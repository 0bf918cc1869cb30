import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Request {
  text: string;
  /** Of the listing. */
  zone: string;
  /** Instants in ISO 8601. */
  spans: [from: string, until: string][];
}

/** Dates, the last one exclusive; or the wall clock of the event's own zone, then that of the listing. */
export type Occurrence =
  | [from: string, until: string]
  | [from: string, until: string, fromHere: string, untilHere: string];

export type Answer = { spans: Occurrence[][]; errors: number } | { error: string };

/** Asks the reader in Python, which needs `icalendar` and `recurring-ical-events`, about each calendar in turn. */
export async function* readIndependently(requests: Iterable<Request>): AsyncGenerator<Answer> {
  const python = spawn('python3', [join(import.meta.dirname, 'independent-reader.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(python, 'close');
  const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  try {
    for (const request of requests) {
      python.stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = (await lines.next()) as IteratorResult<string, undefined>;
      if (done) throw new Error('The reader in Python ended: pip install icalendar recurring-ical-events');
      yield JSON.parse(value) as Answer;
    }
  } finally {
    python.stdin.end();
    await ended;
  }
}
