import type { Less } from './less.ts';

/** What shortening has to know of a history that failed. */
export interface Played {
  problems: readonly string[];
  lines: readonly string[];
  /** The number of requests. */
  asked: number;
  /** Who took part, with the number of requests of each. */
  actors: ReadonlyMap<string, number>;
  /** The kinds of faults that happened. */
  faults: readonly string[];
}

interface Shrunk {
  seed: number;
  less: Less;
  played: Played;
  /** How many histories were played for it. */
  plays: number;
}

interface Options {
  seed: number;
  /** What is left out of the first history. */
  less?: Less;
  play: (seed: number, less: Less) => Promise<Played>;
  /** A shorter history is another one, because everything draws from one seed: so some more seeds are tried. */
  seeds?: number;
  mostPlays?: number;
  onShorter?: (shrunk: Shrunk) => void;
}

/** Problems that differ only in ids, amounts and times are of one class. */
export const classOf = (problem: string): string =>
  problem
    .replace(/"[^"]*"/g, '"…"')
    .replace(/[\d.,:TZ#-]*\d[\d.,:TZ#-]*/g, '#')
    .replace(/\s+/g, ' ')
    .slice(0, 80);

const without = (less: Less, key: 'actors' | 'faults', more: readonly string[]): Less => ({
  ...less,
  [key]: [...(less[key] ?? []), ...more],
});

/** All of a list, then its halves, quarters and so on down to each one. */
const parts = <Value>(all: readonly Value[]): Value[][] => {
  const found: Value[][] = [];
  for (let size = all.length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < all.length; at += size) found.push(all.slice(at, at + size));
  return found;
};

/** Searches for a history that is shorter and fails in the same way. */
class Shrinking {
  readonly #options: Options;
  readonly #classes: ReadonlySet<string>;
  #best: Shrunk;

  constructor(options: Options, first: Played) {
    this.#options = options;
    this.#classes = new Set(first.problems.map(classOf));
    this.#best = { seed: options.seed, less: options.less ?? {}, played: first, plays: 1 };
  }

  async toEnd(): Promise<Shrunk> {
    for (let asked = Infinity; this.#best.played.asked < asked && !this.#isOver;) {
      asked = this.#best.played.asked;
      await this.#lessTime();
      await this.#fewerActors();
      await this.#fewerFaults();
      await this.#fewerRequests();
    }
    return this.#best;
  }

  get #isOver(): boolean {
    return this.#best.plays >= (this.#options.mostPlays ?? 60);
  }

  async #lessTime(): Promise<void> {
    for (;;) {
      const hours = (this.#best.less.hostileHours ?? 2) / 2;
      if (hours < 0.05 || !(await this.#try({ ...this.#best.less, hostileHours: hours }))) return;
    }
  }

  async #fewerActors(): Promise<void> {
    for (const some of parts([...this.#best.played.actors.keys()])) {
      const left = new Set(this.#best.less.actors);
      const names = some.filter((name) => !left.has(name));
      if (names.length > 0 && names.length + left.size < this.#everyone)
        await this.#try(without(this.#best.less, 'actors', names));
    }
  }

  get #everyone(): number {
    return this.#best.played.actors.size + (this.#best.less.actors?.length ?? 0);
  }

  async #fewerFaults(): Promise<void> {
    const all = [...new Set(this.#best.played.faults)];
    for (const kinds of [all, ...all.map((kind) => [kind])]) {
      const rest = kinds.filter((kind) => !(this.#best.less.faults ?? []).includes(kind));
      if (rest.length > 0) await this.#try(without(this.#best.less, 'faults', rest));
    }
  }

  /** An actor stops after half of its requests: its later stories are left out. */
  async #fewerRequests(): Promise<void> {
    for (const [name, asked] of this.#best.played.actors)
      if (asked > 1) {
        const requests = { ...this.#best.less.requests, [name]: Math.ceil(asked / 2) };
        await this.#try({ ...this.#best.less, requests });
      }
  }

  /** Keeps what is left out if the history still fails, with this seed or one of the next. */
  async #try(less: Less): Promise<boolean> {
    const { seed } = this.#best;
    for (let more = 0; more < (this.#options.seeds ?? 3) && !this.#isOver; more++) {
      const played = await this.#options.play(seed + more, less);
      this.#best = { ...this.#best, plays: this.#best.plays + 1 };
      const isSame = played.problems.some((problem) => this.#classes.has(classOf(problem)));
      if (!isSame || played.asked > this.#best.played.asked) continue;
      this.#best = { ...this.#best, seed: seed + more, less, played };
      this.#options.onShorter?.(this.#best);
      return true;
    }
    return false;
  }
}

/** Returns the shortest history found that fails as the first one does. */
export const shrink = (options: Options, first: Played): Promise<Shrunk> =>
  new Shrinking(options, first).toEnd();

const mostLines = 50;

/** Returns a page that names the steps: what leads to the first problem, and what the problems are about. */
export const pageOf = ({ seed, less, played, plays }: Shrunk): string[] => {
  const { problems, lines, asked } = played;
  const ids = new Set(problems.flatMap((problem) => problem.match(/\d{7,}/g) ?? []));
  // What the judge asks when all is quiet leads to nothing.
  const end = lines.findIndex((line) => line.includes('=> ') || line.includes('quiet from here on'));
  const until = end === -1 ? lines : lines.slice(0, end + 1);
  const isAbout = (line: string): boolean => [...ids].some((id) => line.includes(id));
  const about = until.filter((line, at) => isAbout(line) || at >= until.length - mostLines / 2);
  return [
    `${asked} requests, of seed ${seed} without ${JSON.stringify(less)}; ${plays} histories were played to shorten it`,
    ...about.slice(-mostLines).map((line) => (line.length > 200 ? `${line.slice(0, 199)}…` : line)),
    ...problems.slice(0, 5).map((problem) => `=> ${problem}`),
  ];
};
