import type { Simulation } from './simulation.ts';

/** The faults of a call. */
const faultKinds = [
  'request lost',
  'answer lost',
  'carried out twice',
  'arrives late',
  'refused',
  'crash before the call',
  'crash after the call',
  'frozen before the call',
  'frozen after the call',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** What a call goes to. */
export type Place =
  | 'table read'
  | 'table write'
  | 'bus'
  | 'queue'
  | 'gateway'
  | 'endpoint'
  | 'calendar'
  | 'mail'
  | 'identity';

/** Round trips in milliseconds, without what the table itself takes, and how long a caller waits for an answer. */
export const travel: Record<Place, { least: number; most: number; patience: number }> = {
  'table read': { least: 0, most: 0, patience: 3000 },
  'table write': { least: 0, most: 0, patience: 3000 },
  bus: { least: 5, most: 40, patience: 5000 },
  queue: { least: 5, most: 30, patience: 5000 },
  gateway: { least: 80, most: 700, patience: 10_000 },
  endpoint: { least: 30, most: 800, patience: 10_000 },
  calendar: { least: 100, most: 2000, patience: 10_000 },
  mail: { least: 20, most: 150, patience: 10_000 },
  identity: { least: 30, most: 250, patience: 5000 },
};

const likelihoods = [0, 0.0005, 0.001, 0.002, 0.004];

/** How hostile the world is: rates of faults, drawn from the seed, until the weather turns calm. */
export class Weather {
  readonly #sim: Simulation;
  readonly #rates: Record<FaultKind, number>;
  readonly #slowness: number;
  /** Places that fail more often than others: an outage. */
  readonly #outages = new Map<Place, number>();
  isCalm = false;
  readonly #off: ReadonlySet<string>;
  readonly counts = new Map<string, number>();

  /** `off` has the kinds that do not happen, as `faultKindOf` names them. */
  constructor(sim: Simulation, off: readonly string[] = []) {
    this.#sim = sim;
    this.#off = new Set(off);
    this.#rates = Object.fromEntries(faultKinds.map((kind) => [kind, sim.pick(likelihoods)])) as Record<
      FaultKind,
      number
    >;
    this.#slowness = sim.pick([0, 0.01, 0.03]);
  }

  /** Makes a place fail half of its calls until an instant. */
  break(place: Place, until: number): void {
    if (this.#off.has('outage')) return;
    this.#outages.set(place, until);
    this.#count(`outage of ${place}`);
    this.#sim.note(`outage of ${place} until ${new Date(until).toISOString().slice(11, 19)}`);
  }

  fault(place: Place): FaultKind | undefined {
    if (this.isCalm) return undefined;
    const sim = this.#sim;
    if ((this.#outages.get(place) ?? 0) > sim.now() && sim.chance(0.5))
      return this.#met(place, sim.pick(['request lost', 'answer lost', 'refused']));
    let dice = sim.random();
    for (const kind of faultKinds) {
      dice -= this.#rates[kind];
      if (dice < 0) return this.#off.has(kind) ? undefined : this.#met(place, kind);
    }
    return undefined;
  }

  /** The duration of one way. */
  way(place: Place): number {
    const { least, most } = travel[place];
    const usual = this.#sim.between(least, most) / 2;
    return !this.isCalm && this.#sim.chance(this.#slowness)
      ? Math.max(usual, 0.5) * this.#sim.between(5, 60)
      : usual;
  }

  /** True with this probability while the world is hostile. */
  happens(what: string, probability: number): boolean {
    if (this.isCalm || !this.#sim.chance(probability) || this.#off.has(what)) return false;
    this.#count(what);
    return true;
  }

  #met(place: Place, kind: FaultKind): FaultKind {
    this.#count(`${kind}: ${place}`);
    return kind;
  }

  #count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}
