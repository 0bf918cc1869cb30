import { type FaultKind, type Place, travel, type Weather } from './weather.ts';
import type { Simulation } from './simulation.ts';

const never = (): Promise<never> => new Promise(() => undefined);

/** A call of a machine to something outside of it. */
interface Call<Answer> {
  place: Place;
  what: string;
  /** Takes effect at once, at the moment of its arrival. */
  act: () => Promise<Answer> | Answer;
  /** Its answer comes at a full so many milliseconds, so that answers to several callers meet. */
  roundMs?: number | undefined;
  /** The error of a call that was refused. */
  refusal: () => Error;
  /** The error of a call without an answer. */
  silence: () => Error;
}

/**
 * One instance of a function. Its calls take time and meet faults. When it dies, nothing of it ever runs again; when it is
 * frozen, it continues minutes later, whatever has happened meanwhile.
 */
export class Machine {
  readonly name: string;
  readonly skewMs: number;
  /** When calls of it met faults. */
  readonly faultsAt: number[] = [];
  readonly #sim: Simulation;
  readonly #weather: Weather;
  readonly #deaths = new Set<() => void>();
  #isAlive = true;
  #frozenUntil = 0;

  constructor(name: string, sim: Simulation, weather: Weather) {
    this.name = name;
    this.#sim = sim;
    this.#weather = weather;
    this.skewMs = Math.round(sim.between(-500, 500));
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get isFrozen(): boolean {
    return this.#frozenUntil > this.#sim.now();
  }

  die(why: string): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    this.#sim.note(`${this.name} ends: ${why}`);
    for (const run of [...this.#deaths]) run();
    this.#deaths.clear();
  }

  /** Calls back when the machine dies; returns the end of that. */
  onDeath(run: () => void): () => void {
    this.#deaths.add(run);
    return () => void this.#deaths.delete(run);
  }

  async call<Answer>(call: Call<Answer>): Promise<Answer> {
    await this.#awake();
    const fault = this.#weather.fault(call.place);
    if (fault) {
      this.faultsAt.push(this.#sim.now());
      this.#sim.note(`${this.name} ${call.what}: ${fault}`);
    }
    return fault ? this.#faulty(call, fault) : this.#plain(call);
  }

  async #plain<Answer>(call: Call<Answer>): Promise<Answer> {
    await this.#travel(call.place);
    try {
      return await call.act();
    } finally {
      await this.#travel(call.place);
      const { roundMs } = call;
      if (roundMs !== undefined && !this.#weather.isCalm)
        await this.#sim.sleep(roundMs - (this.#sim.now() % roundMs));
      await this.#awake();
    }
  }

  async #travel(place: Place): Promise<void> {
    const ms = this.#weather.way(place);
    if (ms > 0) await this.#sim.sleep(ms);
  }

  async #faulty<Answer>(call: Call<Answer>, fault: FaultKind): Promise<Answer> {
    switch (fault) {
      case 'request lost':
        return this.#silent(call);
      case 'answer lost':
        await this.#acted(call);
        return this.#silent(call);
      case 'carried out twice':
        await this.#acted(call);
        return this.#plain(call);
      case 'arrives late':
        this.#sim.later(this.#sim.between(1000, 60_000), () => void this.#acted(call));
        return this.#silent(call);
      case 'refused':
        await this.#sim.sleep(this.#weather.way(call.place));
        await this.#awake();
        throw call.refusal();
      case 'crash before the call':
        this.die('crash');
        return never();
      case 'crash after the call':
        await this.#acted(call);
        this.die('crash');
        return never();
      case 'frozen before the call':
        this.#freeze();
        await this.#awake();
        return this.#plain(call);
      case 'frozen after the call':
        await this.#sim.sleep(this.#weather.way(call.place));
        this.#sim.later(0, () => this.#freeze());
        return this.#plain(call);
    }
  }

  #freeze(): void {
    this.#frozenUntil = this.#sim.now() + this.#sim.between(2000, 240_000);
  }

  async #acted<Answer>(call: Call<Answer>): Promise<void> {
    await this.#sim.sleep(this.#weather.way(call.place));
    await Promise.resolve()
      .then(() => call.act())
      .catch(() => undefined);
  }

  async #silent<Answer>(call: Call<Answer>): Promise<never> {
    await this.#sim.sleep(travel[call.place].patience);
    await this.#awake();
    throw call.silence();
  }

  /** Continues when the machine runs; never if it is dead. */
  async #awake(): Promise<void> {
    while (this.isFrozen) await this.#sim.sleep(this.#frozenUntil - this.#sim.now());
    if (!this.#isAlive) await never();
  }
}
