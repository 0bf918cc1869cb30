import { Guest } from './actors/guest.ts';
import { Host } from './actors/host.ts';
import { LinkGuests } from './actors/link-guests.ts';
import { FeedReader, Partner } from './actors/partner.ts';
import { disturb } from './disturb.ts';
import { calendarProblems } from './judge/calendars.ts';
import { type Linear, linearJudgement } from './judge/calendars-seen.ts';
import { nightProblems } from './judge/nights.ts';
import { quietProblems, restProblems } from './judge/quiet.ts';
import { peopleProblems } from './judge/people.ts';
import { listProblems } from './judge/transfers.ts';
import { countProblems, repeatKept, searchProblems } from './judge/views.ts';
import { faultKindOf } from './less.ts';
import { limited, unlimited } from './limits.ts';
import type { Outcome } from './outcome.ts';
import { startOfTime } from './simulation.ts';
import { directDependencies } from './town.ts';
import { openTransfers, renewRefused } from './transfers/keeper.ts';
import { type HistoryOptions, World } from './world.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Plays one history of the whole service: hours in a hostile world, then quiet, then the judgement. */
export const playService = (seed: number, options: HistoryOptions = {}): Promise<Outcome> =>
  new ServiceHistory(seed, options).play();

class ServiceHistory extends World {
  #readers: FeedReader[] = [];
  #linear: Linear = { problems: [], calls: 0, families: 0, undecided: 0, cpuMs: 0 };

  async play(): Promise<Outcome> {
    Object.assign(process.env, unlimited);
    await this.#do(() => this.town.build(this.table));
    await this.#do(() => openTransfers(this.town, this.table));
    await this.#do(() => this.platforms.open());
    await this.#do(async () => this.crew?.build(this.table));
    const { quietHours = this.platforms.restHours } = this.options;
    const hooksSince = this.sim.now();
    const actors = this.#actors();
    this.weather.isCalm = false;
    const limits = this.sim.chance(0.3) ? limited : unlimited;
    Object.assign(process.env, limits);
    for (const actor of actors) void this.sim.inside(() => actor.live());
    disturb(this.sim, this.weather, this.cloud, this.hostileMs);
    this.#expire();
    if (this.town.isSlow) await this.#passDays(quietHours, limits);
    else await this.#pass(this.hostileMs);
    this.town.isOver = true;
    this.sim.note('quiet from here on');
    await this.#rest(quietHours);
    await this.#judge(hooksSince).catch((error: unknown) =>
      this.add([`the judge is refused: ${(error as Error).message}`]),
    );
    return this.#outcome();
  }

  #actors(): { live: () => Promise<void> }[] {
    const { guests, hosts, partners } = this.town;
    this.#readers = partners.flatMap((partner) =>
      [2, 3, 100].map((limit) => new FeedReader(this.town, partner, limit)),
    );
    return [
      ...guests.map((who) => new Guest(this.town, this.bank, who)),
      ...hosts.map((who) => new Host(this.town, who)),
      ...partners.map((who) => new Partner(this.town, who)),
      new LinkGuests(this.town, this.bank),
      ...this.#readers,
      this.platforms,
      this.newcomers,
      this.operator,
      ...(this.crew ? [this.crew] : []),
    ];
  }

  /** Deletes what has expired, as TTL does: late, and in any order. */
  #expire(): void {
    this.table.expire(this.sim.now());
    this.sim.later(this.#stepMs, () => this.#expire());
  }

  get #stepMs(): number {
    return this.town.isSlow ? 6 * hourMs : 15 * minuteMs;
  }

  /** Lets time pass, and looks at the nights every quarter of an hour, in a slow history every quarter of a day. */
  async #pass(ms: number): Promise<void> {
    const end = this.sim.now() + ms;
    while (this.sim.now() < end) {
      await this.sim.runUntil(Math.min(end, this.sim.now() + this.#stepMs));
      this.add(nightProblems(this.table.items(), this.sim.now()));
    }
  }

  /** Lets days pass, and compares at the end of each, after a night in which what the day has left comes to rest. */
  async #passDays(quietHours: number, limits: typeof limited): Promise<void> {
    const days = Math.round(this.hostileMs / (24 * hourMs));
    for (let day = 1; day <= days; day++) {
      await this.#pass((23.5 - quietHours) * hourMs);
      this.town.isNight = true;
      await this.#rest(quietHours);
      let problems = await this.#atNight();
      // Work whose time has just come is done by the next run of its schedule.
      if (problems.length > 0) {
        await this.#pass(30 * minuteMs);
        const still = new Set(await this.#atNight());
        problems = problems.filter((problem) => still.has(problem));
      }
      this.add(problems.map((problem) => `day ${day}: ${problem}`));
      this.town.isNight = false;
      this.weather.isCalm = false;
      Object.assign(process.env, limits);
    }
  }

  /** Lets everything come to rest: no story starts, and nothing fails. */
  async #rest(quietHours: number): Promise<void> {
    this.weather.isCalm = true;
    Object.assign(process.env, unlimited);
    for (let quarter = 0; quarter < 4; quarter++) {
      await this.#pass((quietHours / 4) * hourMs);
      for (const queue of this.cloud.queues.values()) queue.redrive();
      await this.#do(() => this.operator.settleRefunds());
      await this.#do(() => this.platforms.endQuarantines());
      await this.#do(() => renewRefused(this.town));
    }
    await this.#pass(30 * minuteMs);
  }

  async #atNight(): Promise<string[]> {
    const calendars: string[] = [];
    await this.#do(async () => void calendars.push(...(await this.#calendarProblems())));
    const [items, now] = [this.table.items(), this.sim.now()];
    const records = restProblems({
      items,
      now,
      bank: this.bank,
      hostBank: this.town.hostBank,
      cloud: this.cloud,
      answers: this.answers,
    });
    return [...calendars, ...records];
  }

  #calendarProblems(): Promise<string[]> {
    const { table } = directDependencies(this.table, this.sim);
    return calendarProblems(this.town, this.platforms, table, this.table.items());
  }

  /** Runs something to its end. */
  async #do(work: () => Promise<void>): Promise<void> {
    const state: { isDone: boolean; failure?: Error } = { isDone: false };
    this.sim
      .inside(work)
      .catch((error: unknown) => (state.failure = error as Error))
      .finally(() => (state.isDone = true));
    while (!state.isDone) await this.sim.runUntil(this.sim.now() + 1000);
    if (state.failure) throw state.failure;
  }

  async #judge(hooksSince: number): Promise<void> {
    const town = this.town;
    const quiet = this.table.items();
    await this.#do(async () => {
      for (const reader of this.#readers) await reader.toEnd();
      this.add(await this.#calendarProblems());
      this.add(await peopleProblems(town, this.newcomers, () => this.table.items()));
      if (this.crew) this.add(await this.crew.end());
      await repeatKept(town, this.answers);
      this.add(await searchProblems(town));
      this.add(await countProblems(town, this.table.items()));
      this.add(await listProblems(this.table.items(), town));
      for (const finding of await this.operator.findings())
        this.add([`the operator's audit finds ${JSON.stringify(finding)}`]);
    });
    this.#linear = linearJudgement(town, this.answers, this.platforms, this.table.items());
    this.add(this.#linear.problems);
    this.add([
      ...town.problems,
      ...(this.crew?.access.problems(this.table.items(), this.mails) ?? []),
      ...this.answers.problems,
      ...quietProblems({
        ...{ items: this.table.items(), quiet, now: this.sim.now(), town, answers: this.answers },
        ...{ bank: this.bank, cloud: this.cloud, readers: this.#readers, received: this.received },
        ...{ mails: this.mails, hooksSince },
      }),
    ]);
  }

  #outcome(): Outcome {
    const sim = this.sim;
    return {
      problems: [...this.problems],
      lines: sim.lines,
      digest: sim.digest(),
      steps: sim.steps,
      hours: (sim.now() - startOfTime) / hourMs,
      reads: this.answers.reads,
      writes: this.answers.writes,
      effective: this.answers.effective,
      answers: this.answers.counts,
      actors: this.answers.byActor,
      faultKinds: [...new Set([...this.weather.counts.keys()].map(faultKindOf))],
      moves: this.cloud.stream.moves,
      faults: new Map([...this.weather.counts, ...this.table.counts]),
      linear: this.#linear,
      mails: this.mails.length,
      events: this.table.items().filter(({ entity }) => entity === 'Event').length,
    };
  }
}
