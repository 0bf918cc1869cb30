import type { HistoryEvent } from './history.ts';
import type { Outcome } from './run.ts';

type Counts = Map<string, number>;

const count = (counts: Counts, name: string, by = 1): void =>
  void counts.set(name, (counts.get(name) ?? 0) + by);

const sum = (counts: Counts): number => [...counts.values()].reduce((total, times) => total + times, 0);

/** What all schedules together have covered. */
export class Coverage {
  schedules = 0;
  points = 0;
  switches = 0;
  calls = 0;
  commits = 0;
  clockMoves = 0;
  /** Requests that overlapped another one. */
  overlapping = 0;
  readonly requests: Counts = new Map();
  readonly answers: Counts = new Map();
  readonly faults: Counts = new Map();
  /** What the table did besides answering. */
  readonly weather: Counts = new Map();

  add({ history, points, switches, calls, weather }: Outcome): void {
    this.schedules++;
    for (const [manner, times] of weather) count(this.weather, manner, times);
    this.points += points;
    this.switches += switches;
    this.calls += calls;
    const verbs = new Map<number, string>();
    const open = new Set<number>();
    for (const event of history) this.#note(event, verbs, open);
  }

  #note(event: HistoryEvent, verbs: Map<number, string>, open: Set<number>): void {
    switch (event.type) {
      case 'begin':
        if (open.size > 0) this.overlapping++;
        open.add(event.op);
        verbs.set(event.op, event.intent.verb);
        count(this.requests, event.intent.verb);
        break;
      case 'end': {
        const { status, code, replayed } = event.answer;
        open.delete(event.op);
        count(
          this.answers,
          [verbs.get(event.op), status, code, replayed ? '(replayed)' : undefined].filter(Boolean).join(' '),
        );
        break;
      }
      case 'commit':
        this.commits++;
        break;
      case 'fault':
        count(this.faults, event.kind);
        break;
      case 'clock':
        this.clockMoves++;
        break;
      case 'crash':
      case 'rest':
        open.clear();
    }
  }

  /** Returns the number of requests sent. */
  get asked(): number {
    return sum(this.requests);
  }

  lines(): string[] {
    const list = (counts: Counts): string =>
      [...counts]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, times]) => `${name} ${times}`)
        .join(', ');
    return [
      `schedules            ${this.schedules}`,
      `requests             ${this.asked} (${this.overlapping} beside another): ${list(this.requests)}`,
      `answers              ${list(this.answers)}`,
      `calls of the table   ${this.calls}, of which ${this.commits} transactions took effect`,
      `interleaving points  ${this.points}, at ${this.switches} of the steps another session went on`,
      `faults               ${sum(this.faults)}: ${list(this.faults)}`,
      `of the table         ${list(this.weather)}`,
      `clock moves          ${this.clockMoves}`,
    ];
  }
}
