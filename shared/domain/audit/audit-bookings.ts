import type { Dependencies } from '../../platform/context.ts';
import { longestRunMs } from '../../platform/due/index.ts';
import { recordMetric } from '../../platform/metrics/index.ts';
import { ConflictError } from '../../platform/table/index.ts';
import { inLanes } from '../../platform/in-lanes.ts';
import { readTeamsAfter } from '../people/model.ts';
import { AuditReading } from './audit-reading.store.ts';
import type { AuditRound, AuditScope, OpenFinding } from './audit-round.entity.ts';
import {
  claimRound,
  findingText,
  isConfirmed,
  readRound,
  saveRound,
  withFindings,
} from './audit-round.store.ts';
import { auditRules } from './audit.rules.ts';
import { auditScopes } from './audit-scopes.ts';
import { distinctScopes, movedScopes } from './moved-scopes.ts';

type Deps = Pick<Dependencies, 'table' | 'clock' | 'log'>;

/** The result of a run. */
export interface AuditRun {
  /** Orders audited by this run. */
  orders: number;
  /** Findings that stand. */
  findings: number;
  /** Whether the round is finished. */
  finished: boolean;
}

const teamsAtOnce = 100;
const ordersAtOnce = 50;

/**
 * Audits what has changed since the last round, and once more a day after its last change: calendars, bookings, payments,
 * refunds, due lists and events. A run works for 3 minutes at most and stores how far it has come; the next one continues.
 * One run at a time works, under a lease. Findings are logged with their ids, and counted as a metric while they stand.
 */
export const auditBookings = async (deps: Deps): Promise<AuditRun> => {
  const claimed = await claimRound(deps);
  if (claimed) {
    const run = new Run(deps, claimed);
    await run.work();
    return run.result(claimed);
  }
  return resultOf(deps, await readRound(deps.table));
};

const resultOf = ({ clock }: Pick<Deps, 'clock'>, round: AuditRound | undefined, orders = 0): AuditRun => {
  const findings = round ? round.open.filter(isConfirmed).length + round.more : 0;
  recordMetric('audit_findings', findings);
  if (round) recordMetric('audit_lag_seconds', Math.round((clock.now() - round.to) / 1000));
  return { orders, findings, finished: (round?.finished_at ?? null) !== null };
};

class Run {
  readonly #deps: Deps;
  readonly #reading: AuditReading;
  readonly #until: number;
  #round: AuditRound;

  constructor(deps: Deps, round: AuditRound) {
    this.#deps = deps;
    this.#round = round;
    this.#until = deps.clock.now() + longestRunMs;
    this.#reading = new AuditReading(deps, round, { consistent: false });
  }

  result(claimed: AuditRound): AuditRun {
    return resultOf(this.#deps, this.#round, this.#round.orders - claimed.orders);
  }

  async work(): Promise<void> {
    const { after_team, after_order, open } = this.#round;
    try {
      if (after_team + after_order === 0 && open.length > 0) await this.#auditOpen();
      while (this.#hasTime()) if (!(await this.#nextTeams())) break;
      await this.#save({ goesOn: false });
    } catch (error) {
      // Another run has taken the round over.
      if (!(error instanceof ConflictError)) throw error;
    }
  }

  #hasTime(): boolean {
    return this.#deps.clock.now() < this.#until;
  }

  #save(how: { goesOn: boolean }): Promise<void> {
    return saveRound(this.#deps, this.#round, how);
  }

  /** Audits the findings of earlier rounds again, and keeps those that still stand, or that there is no time for. */
  async #auditOpen(): Promise<void> {
    const { open, to } = this.#round;
    const standing: OpenFinding[] = [];
    for (const [from, some] of Map.groupBy(open, (finding) => finding.from)) {
      if (!this.#hasTime()) {
        standing.push(...some);
        continue;
      }
      const reading = new AuditReading(this.#deps, { from, to }, { consistent: true });
      const scopes = distinctScopes(some.map(({ scope }) => scope));
      const found = await auditScopes(this.#deps, reading, scopes);
      const rounds = new Map(some.map((before) => [findingText(before), before.rounds]));
      for (const finding of found) {
        const before = rounds.get(findingText(finding));
        if (before !== undefined) standing.push({ ...finding, from, rounds: before + 1 });
      }
    }
    this.#round = { ...this.#round, open: [] };
    this.#add(standing);
  }

  /** Audits the next teams; false after the last. */
  async #nextTeams(): Promise<boolean> {
    const { table, clock } = this.#deps;
    const { after_team } = this.#round;
    const teams = (await readTeamsAfter(table, after_team, teamsAtOnce)).map(({ team_id }) => team_id);
    const last = teams.at(-1);
    if (last === undefined) {
      this.#round = { ...this.#round, finished_at: clock.now() };
      return false;
    }
    const scopes = (await inLanes(teams, (team) => movedScopes(this.#reading, team))).flat();
    if (!(await this.#audit(scopes))) return false;
    this.#reading.forgetPages();
    this.#round = { ...this.#round, after_team: last, after_order: 0 };
    await this.#save({ goesOn: true });
    return true;
  }

  /** Audits the scopes of some teams, orders first, in the order of their ids; false if the time is over. */
  async #audit(scopes: readonly AuditScope[]): Promise<boolean> {
    const { after_order } = this.#round;
    const ids = scopes.flatMap((scope) => (scope.kind === 'order' ? scope.order_id : []));
    const left = [...new Set(ids)].filter((id) => id > after_order).sort((one, other) => one - other);
    for (let at = 0; at < left.length; at += ordersAtOnce) {
      if (!this.#hasTime()) return false;
      const some = left.slice(at, at + ordersAtOnce);
      await this.#auditSome(some.map((orderId) => ({ kind: 'order', order_id: orderId })));
      const orders = this.#round.orders + some.length;
      this.#round = { ...this.#round, orders, after_order: some.at(-1) ?? after_order };
      await this.#save({ goesOn: true });
    }
    const others = scopes.filter(({ kind }) => kind !== 'order');
    for (let at = 0; at < others.length; at += ordersAtOnce) {
      if (!this.#hasTime()) return false;
      await this.#auditSome(others.slice(at, at + ordersAtOnce));
    }
    return true;
  }

  async #auditSome(scopes: readonly AuditScope[]): Promise<void> {
    const { from } = this.#round;
    const found = await auditScopes(this.#deps, this.#reading, scopes);
    this.#add(found.map((finding) => ({ ...finding, from, rounds: 1 })));
  }

  /** Adds findings to the round, and logs the confirmed ones. */
  #add(found: readonly OpenFinding[]): void {
    this.#round = withFindings(this.#round, found);
    for (const { rule, where } of found.filter(isConfirmed))
      this.#deps.log.error('Records disagree.', { rule, holds: holdsOf(rule), ...where });
  }
}

const holdsOf = (rule: string): string => auditRules.find(({ name }) => name === rule)?.holds ?? rule;
