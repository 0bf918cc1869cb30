import type { Outcome } from '../../../../infra/operator/operate.ts';
import { workQueues } from '../../../../shared/schedules.ts';
import { subscriptions } from '../../../../shared/subscriptions.ts';
import type { Answers } from '../client.ts';
import type { UnsureRefund } from '../gateways/unsure-refunds.ts';
import { startOfTime } from '../simulation.ts';
import type { Town } from '../town.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const queues = [...subscriptions, ...workQueues].map(({ consumer }) => consumer);

interface Tools {
  operate: (args: readonly string[]) => Promise<Outcome>;
  /** What the bank's own list shows of refunds that are UNSURE. */
  unsureRefunds: () => UnsureRefund[];
}

/** Runs commands of the operator's tool while everything goes on. */
export class Operator {
  readonly #town: Town;
  readonly #tools: Tools;
  readonly #answers: Answers;

  constructor(town: Town, answers: Answers, tools: Tools) {
    this.#town = town;
    this.#answers = answers;
    this.#tools = tools;
  }

  async live(): Promise<void> {
    while (await this.#town.think(20)) await this.#town.sim.pick(this.#deeds)();
  }

  /** The findings of a look at everything that has moved. */
  async findings(): Promise<unknown[]> {
    const from = new Date(startOfTime).toISOString();
    return (await this.#run<{ findings: unknown[] }>('audit', 'since', '--from', from))?.findings ?? [];
  }

  /** Closes the refunds that the bank has made, and has the others asked for again. */
  async settleRefunds(): Promise<void> {
    for (const { payment_id, refund_id, isMade } of this.#tools.unsureRefunds()) {
      const which = ['--payment', String(payment_id), '--refund', refund_id];
      await this.#run('refund', isMade ? 'done' : 'again', ...which);
    }
  }

  readonly #deeds: (() => Promise<unknown>)[] = [
    () => this.#republish(),
    () => this.#redrive(),
    () => this.#redrive(),
    () => this.#audit(),
    () => this.settleRefunds(),
    () => this.#run('search', 'reindex'),
    () => this.#renewKey(),
    () => this.#run('booking', 'schedule-ends'),
    () => this.#run('dead-letters', 'list'),
    () => this.#run('key', 'list'),
    () => this.#run('team', 'list'),
  ];

  async #run<Answer>(noun: string, verb: string, ...flags: string[]): Promise<Answer | undefined> {
    const outcome = await this.#tools.operate([noun, verb, ...flags]).catch(() => undefined);
    const isDone = outcome?.exitCode === 0;
    const error = outcome && !isDone ? (JSON.parse(outcome.stderr) as { code: string }).code : 'no answer';
    this.#answers.count(`operator ${noun} ${verb} ${isDone ? 'done' : error}`);
    this.#town.sim.note(`operator ${noun} ${verb} ${flags.join(' ')} -> ${isDone ? 'done' : error}`);
    return isDone ? (JSON.parse(outcome.stdout) as Answer) : undefined;
  }

  #republish(): Promise<unknown> {
    const { sim } = this.#town;
    const from = new Date(sim.now() - sim.between(5, 90) * minuteMs).toISOString();
    return this.#run('events', 'republish', '--from', from);
  }

  #redrive(): Promise<unknown> {
    return this.#run('dead-letters', 'redrive', '--queue', this.#town.sim.pick(queues));
  }

  async #audit(): Promise<void> {
    const { sim, bookings, homes } = this.#town;
    const from = new Date(sim.now() - hourMs).toISOString();
    if (sim.chance(0.3)) await this.#run('audit', 'since', '--from', from);
    else if (bookings.length > 0 && sim.chance(0.6))
      await this.#run('audit', 'booking', '--booking', String(sim.pick(bookings).id));
    else await this.#run('audit', 'listing', '--listing', String(sim.pick(homes).id));
  }

  /** Gives a partner another key, and ends the old one when the partner uses the new one. */
  async #renewKey(): Promise<void> {
    const { sim, partners } = this.#town;
    const partner = sim.pick(partners);
    const made = await this.#run<{ key_id: number; api_key: string }>(
      ...(['key', 'rotate', '--key', String(partner.keyId), '--overlap-hours', 'until-revoked'] as const),
    );
    if (!made) return;
    const old = partner.keyId;
    Object.assign(partner, { key: made.api_key, keyId: made.key_id });
    await this.#town.pause(20);
    await this.#run('key', 'revoke', '--key', String(old));
  }
}
