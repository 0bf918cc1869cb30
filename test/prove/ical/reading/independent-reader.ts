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

/** It works on so many calendars while their answers are awaited. */
const ahead = 20;

/** Asks the reader in Python about each calendar in turn. */
export async function* readIndependently(requests: Iterable<Request>): AsyncGenerator<Answer> {
  const python = spawn('python3', [join(import.meta.dirname, 'independent-reader.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // A program that has ended says so by having no more lines.
  python.stdin.on('error', () => undefined);
  const ended = once(python, 'close').catch(() => undefined);
  const waiting = requests[Symbol.iterator]();
  const send = (): boolean => {
    const next = waiting.next();
    if (!next.done) python.stdin.write(`${JSON.stringify(next.value)}\n`);
    return !next.done;
  };
  let unanswered = 0;
  while (unanswered < ahead && send()) unanswered++;
  try {
    if (unanswered === 0) return;
    for await (const line of createInterface({ input: python.stdout })) {
      yield JSON.parse(line) as Answer;
      if (!send()) unanswered--;
      if (unanswered === 0) return;
    }
    if (unanswered > 0) throw new Error('The reader in Python has ended');
  } finally {
    python.stdin.end();
    await ended;
  }
}
