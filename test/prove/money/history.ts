import { auditBooking } from '../../../shared/domain/audit/index.ts';
import { getBooking, getFolio } from '../../../shared/domain/booking/index.ts';
import { readStatement } from '../../../shared/domain/statement/index.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';
import { makeVirtual, runVirtual, seeded } from '../schedule/virtual.ts';
import { type Act, type As, Draws, type Scene } from './act.ts';
import { actNames, type Plan, type Step } from './plan.ts';
import { listedTransfers } from './transfers.ts';
import { distinct, merged, outcomes, type Result } from './ways.ts';
import { differences, type Shown } from './compare.ts';
import { deskActs } from './desk.ts';
import { reconcileAct, reportAct } from './gateway.ts';
import { type ActName, fits } from './fits.ts';
import { holdActs } from './holds.ts';
import type { Ledger } from './ledger.ts';
import { dueAct, untilOf } from './schedule.ts';
import { arrival, book, morning } from './scene.ts';
import { changeActs } from './changes.ts';
import { stayActs } from './stays.ts';
import { incomingAct, transferActs, transferMoney } from './transfers.ts';
import { statementDifferences } from './statement.ts';
import type { MoneyBug } from './tampering-stays.ts';
import { type Crash, World } from './world.ts';

const minuteMs = 60_000;
/** After that an open payment is asked about again. */
const dueMs = 6 * minuteMs;

const acts = { ...changeActs, ...deskActs, ...holdActs, ...stayActs, ...transferActs };

const months = ['2027-01', '2027-02'];

/** How a history ended. */
export interface Outcome {
  problems: string[];
  lines: readonly string[];
  counts: Counts;
}
export interface Counts {
  done: number;
  refused: number;
  crashed: number;
  together: number;
  paid: number;
  checks: number;
  /** Balances that have fallen due. */
  balances: number;
  /** Transfers that have paid something. */
  transfers: number;
  /** Stays that a late transfer has booked again. */
  restored: number;
  /** Stays of which a change was given up that was not paid in time. */
  givenUp: number;
}

export const noCounts = (): Counts => ({
  ...{ done: 0, refused: 0, crashed: 0, together: 0, paid: 0, checks: 0, balances: 0 },
  ...{ transfers: 0, restored: 0, givenUp: 0 },
});

/** Plays a history. */
export const play = (plan: Plan, bug?: MoneyBug): Promise<Outcome> => {
  makeVirtual();
  const random = seeded(plan.seed + 1);
  return runVirtual({ random, pause: async () => undefined }, () => new History(plan, random, bug).play());
};

/** How a request ended. */
interface Ended {
  result: Result;
  answer?: unknown;
}

class History {
  readonly #plan: Plan;
  readonly #world: World;
  readonly #counts = noCounts();
  readonly #problems: string[] = [];
  /** What may be true: more than one only until the next look. */
  #ledgers: Ledger[] = [];
  #isArrived = false;

  constructor(plan: Plan, random: () => number, bug: MoneyBug | undefined) {
    this.#plan = plan;
    this.#world = new World(random, plan.booked.gateway, bug);
  }

  async play(): Promise<Outcome> {
    try {
      this.#ledgers = [await book(this.#world, this.#plan.booked)];
      this.#world.events.length = 0;
      await this.#look(this.#ledgers, 'booked');
      for (const step of this.#plan.steps) {
        if (this.#problems.length > 0) break;
        await this.#step(step);
      }
      if (this.#problems.length === 0) await this.#finish();
    } catch (error) {
      this.#problems.push(`failed: ${String((error as Error).stack)}`);
    }
    const { purses, transfers } = this.#ledgers[0] ?? { purses: [], transfers: [] };
    this.#counts.balances = purses.filter(({ called }) => called > 0).length;
    this.#counts.restored = purses.filter(({ isRestored }) => isRestored).length;
    this.#counts.givenUp = purses.filter(({ gaveUp }) => gaveUp).length;
    this.#counts.transfers = transfers.filter(({ paid }) => paid.length > 0).length;
    return { problems: this.#problems, lines: this.#world.lines, counts: this.#counts };
  }

  get #ledger(): Ledger {
    const [ledger] = this.#ledgers;
    if (!ledger) throw new Error('no ledger');
    return ledger;
  }

  async #step(step: Step): Promise<void> {
    const draw = new Draws(step.draws);
    const until = untilOf(step.act, this.#world, this.#ledger, draw);
    if (until !== undefined) return this.#jump(until, step.act === 'holdTime' ? undefined : step.beside);
    switch (step.act) {
      case 'lose':
        this.#world.reports.splice(0, 1);
        return;
      case 'transfer':
        transferMoney(this.#world, this.#ledger, draw);
        return;
      default: {
        if ([step.act, step.beside?.act].includes('reconcile')) this.#world.now += dueMs;
        if (step.act === 'pay' && (await this.#pay(draw))) return;
        const isBeside = step.beside !== undefined;
        const act = this.#act(step.act, draw, isBeside);
        if (!act) return;
        const other = step.beside && this.#act(step.beside.act, new Draws(step.beside.draws), isBeside);
        return other ? this.#together(act, other) : this.#alone(act, step.crash);
      }
    }
  }

  #act(name: Step['act'], draw: Draws, isBeside: boolean): Act | undefined {
    const world = this.#world;
    if (name === 'deliver' || name === 'repeat') {
      const report = reportAct(world, draw, name === 'repeat');
      if (report) return report;
    }
    if (name === 'bankReport' || name === 'bankRepeat') {
      if (world.hostBank.incoming.length === 0) transferMoney(world, this.#ledger, draw);
      const report = incomingAct(world, draw, name === 'bankRepeat');
      if (report) return report;
    }
    if (name === 'reconcile') return reconcileAct(world, this.#ledger, isBeside);
    const ledger = this.#ledger;
    const scene: Scene = {
      ...{ draw, world, ledger, purse: draw.pick(ledger.purses), isArrived: this.#isArrived, isBeside },
      by: this.#plan.booked.by === 'host' ? 'owner' : this.#plan.booked.by,
    };
    const asked = name in acts ? (name as ActName) : undefined;
    if (asked && (fits[asked](scene) || draw.chance(12))) return acts[asked](scene);
    const fitting = actNames.filter((one) => fits[one](scene));
    return fitting.length === 0 ? undefined : acts[draw.pick(fitting)](scene);
  }

  /** A guest pays on one of the pages that the gateway still takes money on. */
  async #pay(draw: Draws): Promise<boolean> {
    const open = [...this.#world.pages].filter(([, { charge }]) => this.#world.bank.isOpen(charge));
    if (open.length === 0) return false;
    const held = open.filter(([, { charge }]) => charge.isHold);
    const [reference, { url }] = draw.pick(held.length > 0 && draw.chance(70) ? held : open);
    if (this.#world.pay(url, reference)) this.#counts.paid++;
    await this.#look(this.#ledgers, `pays ${reference}`);
    return true;
  }

  async #alone(act: Act, crash?: Crash): Promise<void> {
    const ended = await this.#run(act, crash);
    this.#note(`${act.text}: ${ended.result}`);
    this.#counts[ended.result]++;
    const before = this.#ledgers;
    const after = before.flatMap((ledger) => outcomes(act, ledger, ended.result));
    if (after.length === 0) {
      this.#problems.push(`${act.text}: ${ended.result}, which it should not be`);
      return;
    }
    const isLong = act.text === 'reconciles' || act.optionalFrom !== undefined;
    const isQuiet = act.text === 'reconciles' && ended.result === 'done';
    await this.#look(after, act.text, { isQuiet, isLong });
    if (this.#problems.length > 0 || ended.result !== 'done' || before[0] === undefined) return;
    const wrong = act.answered?.(ended.answer, before[0], this.#ledger);
    if (wrong) this.#problems.push(wrong);
  }

  /** Two requests at once: as if one had come after the other. */
  async #together(one: Act, other: Act): Promise<void> {
    this.#world.isShared = true;
    const ended = await Promise.all([this.#run(one), this.#run(other)]);
    this.#world.isShared = false;
    this.#note(`${one.text}: ${ended[0].result}, at once with ${other.text}: ${ended[1].result}`);
    this.#counts.together++;
    const results = ended.map(({ result }) => result);
    const after = this.#ledgers.flatMap((ledger) => merged(ledger, [one, other], results));
    if (after.length === 0) this.#problems.push(`${this.#world.lines.at(-1)}: no order explains it`);
    else await this.#look(after, `${one.text} | ${other.text}`, { isLong: true });
  }

  async #run(act: Act, asked?: Crash): Promise<Ended> {
    const world = this.#world;
    const died = { is: false };
    const crash = asked && { ...asked, onDeath: () => void (died.is = true) };
    const as: As = {
      owner: world.as('owner', crash),
      guest: world.as('guest', crash),
      partner: world.asPartner(crash),
      deps: world.over(crash),
    };
    try {
      const answer = await act.run(as);
      // Some work goes on without what has died.
      return { result: died.is ? 'crashed' : 'done', answer };
    } catch (error) {
      if (died.is) return { result: 'crashed' };
      if (error instanceof ServiceError) {
        this.#note(`  ${error.code} ${error.message}`);
        return { result: 'refused' };
      }
      throw error;
    }
  }

  /** Time passes; before, the schedule has asked about all payments, as it does every five minutes. */
  async #jump(until: number, beside: Step['beside']): Promise<void> {
    const world = this.#world;
    if (until > arrival || until <= world.now) return;
    await this.#quiet();
    if (this.#problems.length > 0) return;
    await world.list(this.#ledger.order);
    world.now = until;
    this.#isArrived = until >= morning;
    const run = dueAct(world, this.#ledger);
    const other = beside && this.#act(beside.act, new Draws(beside.draws), true);
    if (other) {
      await this.#together({ ...run, optionalFrom: 0 }, other);
      if (this.#problems.length === 0) await this.#quiet();
      if (this.#problems.length > 0) return;
      await world.list(this.#ledger.order);
    }
    // What conflicted is left to the next run.
    await this.#alone(other ? dueAct(world, this.#ledger) : run);
    if (this.#problems.length === 0) await this.#quiet();
  }

  /** The schedule asks about all payments. */
  async #quiet(): Promise<void> {
    this.#world.now += dueMs;
    await this.#alone(reconcileAct(this.#world, this.#ledger));
  }

  /** All reports are lost; then all months are closed. */
  async #finish(): Promise<void> {
    const world = this.#world;
    world.reports.length = 0;
    await this.#quiet();
    if (this.#problems.length > 0) return;
    await world.list(this.#ledger.order);
    world.reader = 'statement';
    for (const month of months) {
      const { rows } = await readStatement(world.as('owner'), month);
      this.#problems.push(...statementDifferences(this.#ledger, rows, month));
    }
  }

  /** Keeps the ledgers that agree with all that is shown now. */
  async #look(
    ledgers: readonly Ledger[],
    what: string,
    { isQuiet = false, isLong = false } = {},
  ): Promise<void> {
    const world = this.#world;
    const same = JSON.stringify(this.#ledger);
    if (!world.isTouched && !isQuiet && ledgers.every((ledger) => JSON.stringify(ledger) === same)) return;
    world.isTouched = false;
    this.#counts.checks++;
    const { order, purses } = this.#ledgers[0] ?? ledgers[0] ?? { order: 0, purses: [] };
    const owner = world.as('owner');
    const shown: Shown = {
      folio: await getFolio(owner, order),
      details: await Promise.all(purses.map(({ id }) => getBooking(owner, id))),
      adjustments: purses.map(({ id }) => world.adjustments(id)),
      payUntil: purses.map(({ id }) => world.payUntil(id)),
      transfers: await listedTransfers(owner),
      ...{ charges: world.bank.charges, events: world.events, now: world.now, isQuiet },
    };
    for (const { transfer } of shown.details) world.hostBank.reference ??= transfer?.reference;
    const { findings } = await auditBooking(world.deps, order);
    const own = findings.filter(
      ({ rule }) =>
        // No publisher takes part.
        rule !== 'event-not-in-feed' &&
        // What conflicted with a second clerk is left to the next run, and time makes jumps of days.
        !(isLong && rule === 'work-late') &&
        // The ledger says what each page asks for; one of what costs nothing any more is closed by the reconciliation.
        rule !== 'payment-amount',
    );
    this.#problems.push(...own.map((finding) => `audit: ${JSON.stringify(finding)}`));
    this.#problems.push(...world.bank.problems);
    const pages = world.visit();
    const looked = ledgers.map((found) => {
      const ledger = structuredClone(found);
      const { problems, ofPages } = world.bind(ledger, pages);
      // One that was opened meanwhile may be for what was due then.
      return { ledger, problems: [...problems, ...differences(ledger, shown), ...(isLong ? [] : ofPages)] };
    });
    const agreeing = looked.filter(({ problems }) => problems.length === 0).map(({ ledger }) => ledger);
    this.#ledgers = distinct(agreeing.map((ledger) => ({ ...ledger, opened: [] })));
    const [first] = looked.toSorted((one, other) => one.problems.length - other.problems.length);
    if (agreeing.length === 0)
      this.#problems.push(...(first?.problems ?? []).map((one) => `${what}: ${one}`));
  }

  #note(line: string): void {
    this.#world.lines.push(line);
  }
}
