import type { Context } from 'aws-lambda';
import { Machine } from './machine.ts';
import type { Simulation } from './simulation.ts';
import type { Weather } from './weather.ts';

/** An invocation without an answer. */
class Failed extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'Failed';
  }
}

type Handler<Event, Answer> = (event: Event, context: Context) => Promise<Answer>;

interface Instance<Event, Answer> {
  machine: Machine;
  /** The number of deployments before it was made. */
  release: number;
  handler: Handler<Event, Answer>;
}

interface Settings<Event, Answer> {
  name: string;
  timeoutMs: number;
  make: (machine: Machine, release: number) => Handler<Event, Answer>;
}

/** A Lambda function: an instance handles one event at a time, and lives on for the next. */
export class FunctionPool<Event, Answer> {
  readonly #sim: Simulation;
  readonly #weather: Weather;
  readonly #settings: Settings<Event, Answer>;
  #idle: Instance<Event, Answer>[] = [];
  readonly #busy = new Set<Machine>();
  #release = 0;
  #made = 0;

  constructor(sim: Simulation, weather: Weather, settings: Settings<Event, Answer>) {
    this.#sim = sim;
    this.#weather = weather;
    this.#settings = settings;
  }

  /** Replaces all instances: idle ones end, of those at work half end too, and the others take nothing new. */
  deploy(): void {
    this.#release++;
    for (const { machine } of this.#idle.splice(0)) machine.die('deployed');
    for (const machine of [...this.#busy]) if (this.#sim.chance(0.5)) machine.die('deployed at work');
  }

  /** Invokes an instance. Throws {@link Failed} if it ends, or takes too long, and what its handler throws. */
  async invoke(event: Event): Promise<Answer> {
    const instance = this.#take();
    const { machine, handler } = instance;
    const { timeoutMs } = this.#settings;
    this.#busy.add(machine);
    const ends = this.#sim.now() + timeoutMs;
    const answered = new Promise<Answer>((resolve, reject) => {
      const forget = machine.onDeath(() => {
        cancel();
        reject(new Failed('crashed'));
      });
      const cancel = this.#sim.later(timeoutMs, () => {
        forget();
        reject(new Failed('timed out'));
        // A frozen one continues later, although its invocation is over.
        if (!machine.isFrozen) machine.die('timeout');
      });
      const settled = (settle: () => void) => () => {
        cancel();
        forget();
        settle();
      };
      const context = {
        awsRequestId: `${machine.name} ${ends}`,
        functionName: this.#settings.name,
        getRemainingTimeInMillis: () => Math.max(0, ends - this.#sim.now()),
      } as Context;
      this.#sim
        .inside(
          () => handler(event, context),
          () => machine.skewMs,
        )
        .then(
          (value) => settled(() => resolve(value))(),
          (error: unknown) => settled(() => reject(Object(error) as Error))(),
        );
    });
    const answer = await answered.finally(() => this.#busy.delete(machine));
    const isCurrent = instance.release === this.#release;
    if (isCurrent && machine.isAlive && !this.#weather.happens('an idle instance ends', 0.005))
      this.#idle.push(instance);
    return answer;
  }

  #take(): Instance<Event, Answer> {
    this.#idle = this.#idle.filter(({ machine }) => machine.isAlive && !machine.isFrozen);
    const warm = this.#idle.splice(this.#sim.whole(this.#idle.length), 1)[0];
    if (warm) return warm;
    const release = this.#release;
    const machine = new Machine(`${this.#settings.name}/${++this.#made}`, this.#sim, this.#weather);
    return { machine, release, handler: this.#sim.inside(() => this.#settings.make(machine, release)) };
  }
}
