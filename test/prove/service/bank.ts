import { createHash } from 'node:crypto';
import type { PaymentGateway } from '../../../shared/platform/payment/index.ts';
import type { Simulation } from './simulation.ts';
import type { Weather } from './weather.ts';

/** A page, a charge by token or an authorisation, as the bank keeps it. */
export interface Charge {
  payment_id: number;
  reference: string;
  kind: 'page' | 'token' | 'authorisation';
  amount: number;
  currency: string;
  state: 'open' | 'processing' | 'authorised' | 'paid' | 'declined' | 'closed';
  isUncapturable: boolean;
  /** Of a page: it authorises, and a later call captures. */
  isHold?: boolean;
  /** When a page was authorised, epoch milliseconds. */
  authorisedAt?: number;
  /** What of it was captured; absent: all. */
  captured?: number;
  transaction_id: string;
  ends_at: number;
  /** When it was paid, epoch milliseconds. */
  paidAt?: number;
  refunds: Map<string, number>;
}

/** A report of a payment, as one request to the service. */
export interface Report {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The service's answer to a report. */
interface ReportAnswer {
  status: number;
  body: string;
}

/** Carries a call to the bank: it may be lost, late or repeated. */
export type Network = <Answer>(what: string, act: () => Answer) => Promise<Answer>;

/** How a payment gateway speaks to the service, over the ledger of the bank. */
export interface SimulatedGateway {
  readonly takesTokens: boolean;
  /** The product's client of the gateway. */
  client: (network: Network) => PaymentGateway;
  /** Opens a page in the customer's browser. */
  visit: (url: string) => Charge | undefined;
  /** A card is declined on the page. */
  decline: (charge: Charge) => void;
  /** The reports of a charge that has just changed; each is signed when it is sent. */
  reports: (charge: Charge) => (() => Report)[];
  /** Whether the service has taken a report. */
  isTaken: (answer: ReportAnswer) => boolean;
}

const minuteMs = 60_000;

const retriesMs = [1, 10, 60, 120].map((minutes) => minutes * minuteMs);

/** What the bank needs of the history that it is part of. */
export type BankTime = Pick<Simulation, 'now' | 'note' | 'later' | 'chance' | 'between' | 'whole' | 'pick'>;
type BankWeather = Pick<Weather, 'happens'>;

/**
 * The bank behind the payment gateway, with its own ledger. Every page and charge stands alone, so an earlier page may be
 * paid too; some payments take minutes; reports are lost, late, repeated and out of order.
 */
export class Bank {
  readonly sim: BankTime;
  readonly weather: BankWeather;
  readonly gateway: SimulatedGateway;
  readonly problems: string[] = [];
  readonly #charges = new Map<string, Charge>();
  /** The first report that a charge was paid. */
  readonly #paidReports = new Map<string, () => Report>();
  /** Whether answers to refunds come at full seconds. */
  readonly #isRound: boolean;
  readonly #watchers = new Map<string, (inMs: number) => void>();
  readonly #visitors = new Map<string, () => void>();
  /** How many pay by a debit, which takes its time. */
  readonly #debits: number;
  /** Sends a report to the service; undefined without an answer. */
  report: (report: Report) => Promise<ReportAnswer | undefined> = async () => undefined;

  constructor(sim: BankTime, weather: BankWeather, speak: (bank: Bank) => SimulatedGateway) {
    this.sim = sim;
    this.weather = weather;
    this.gateway = speak(this);
    this.#isRound = sim.chance(0.6);
    this.#debits = sim.pick([0.1, 0.3, 0.5]);
    sim.note(`payments by ${this.gateway.constructor.name}`);
  }

  get charges(): Charge[] {
    return [...this.#charges.values()];
  }

  find(reference: string): Charge | undefined {
    return this.#charges.get(reference);
  }

  byTransaction(id: string): Charge | undefined {
    return this.charges.find(({ transaction_id }) => transaction_id === id);
  }

  /** At which full milliseconds a call is answered. */
  roundMsOf(call: string): number | undefined {
    return this.#isRound && call.includes('refund') ? 3000 : undefined;
  }

  /** The end of a page, epoch milliseconds. */
  endsAt(url: string): number {
    return this.gateway.visit(url)?.ends_at ?? 0;
  }

  /** Calls `watcher` when a page has been paid, with the milliseconds until its report arrives at the service. */
  onPaid(url: string, watcher: (inMs: number) => void): void {
    const page = this.gateway.visit(url);
    if (page) this.#watchers.set(page.reference, watcher);
  }

  /** Calls `visitor`, who is on a page, when the service may have been answered that it is open. */
  onAsked(url: string, visitor: () => void): void {
    const page = this.gateway.visit(url);
    if (page) this.#visitors.set(page.reference, visitor);
  }

  /** The service asks about a page, or wants to close it: what it is answered may be old when it arrives. */
  asked(charge: Charge): void {
    const visitor = this.#visitors.get(charge.reference);
    if (!visitor || !this.isOpen(charge) || !this.weather.happens('a payment beside a question', 0.5)) return;
    this.#visitors.delete(charge.reference);
    this.sim.later(this.sim.between(0, 60), visitor);
  }

  /** A guest on the page: pays or is declined, if the page is open. Returns whether the page accepted it. */
  decide(url: string, pays: boolean): boolean {
    const charge = this.gateway.visit(url);
    if (!charge || !this.isOpen(charge)) return false;
    if (!pays) this.gateway.decline(charge);
    else if (charge.isHold) {
      charge.authorisedAt = this.sim.now();
      this.turn(charge, 'authorised');
    } else if (this.weather.happens('money that takes its time', this.#debits)) {
      this.turn(charge, 'processing');
      const end = this.sim.chance(0.4) ? 'declined' : 'paid';
      this.sim.later(this.sim.between(minuteMs, 40 * minuteMs), () => this.turn(charge, end));
    } else this.turn(charge, 'paid');
    return true;
  }

  isOpen({ state, ends_at }: Charge): boolean {
    return state === 'open' && this.sim.now() <= ends_at;
  }

  open(
    given: Pick<
      Charge,
      'payment_id' | 'reference' | 'kind' | 'amount' | 'currency' | 'ends_at' | 'isHold'
    > & {
      transaction_id?: string;
    },
  ): Charge {
    const known = this.#charges.get(given.reference);
    if (known) return known;
    const digest = createHash('sha256').update(given.reference).digest('hex').slice(0, 20);
    const charge: Charge = {
      transaction_id: `txn_${digest}`,
      ...given,
      state: 'open',
      isUncapturable: false,
      refunds: new Map(),
    };
    this.#charges.set(given.reference, charge);
    return charge;
  }

  /** Charges or authorises a card, once; an uncapturable one can only be authorised. Returns whether it was declined. */
  payByToken(charge: Charge, token: string): 'taken' | 'declined' {
    if (token !== 'tok_ok' && token !== 'tok_uncapturable') return 'declined';
    charge.isUncapturable = token === 'tok_uncapturable';
    this.turn(charge, charge.kind === 'authorisation' ? 'authorised' : 'paid');
    return 'taken';
  }

  /** Captures what was authorised, or a part of it: the rest is released. */
  capture(charge: Charge, part = charge.amount): void {
    if (charge.state !== 'authorised') return;
    if (part > charge.amount) this.problems.push(`${part} captured of ${charge.reference}`);
    charge.captured = part;
    this.turn(charge, charge.isUncapturable ? 'declined' : 'paid');
  }

  /** Refunds, once for each key. */
  refund(charge: Charge | undefined, key: string, amount: number): void {
    if (charge?.state !== 'paid') {
      this.problems.push(`refund ${key} of ${charge?.reference}, which is ${charge?.state}`);
      throw new Error('no such charge');
    }
    if (charge.refunds.has(key)) return;
    charge.refunds.set(key, amount);
    this.sim.note(`bank refunds ${amount} of ${charge.reference} (${key})`);
    const report = this.#paidReports.get(charge.reference);
    // What it leads to at the service meets the refund.
    if (report && this.weather.happens('a report beside a refund', 0.4))
      void this.#post(report, retriesMs.length);
    const refunded = refundedOf(charge);
    if (refunded > charge.amount)
      this.problems.push(`${charge.reference}: ${refunded} refunded of ${charge.amount}`);
  }

  turn(charge: Charge, state: Charge['state']): void {
    charge.state = state;
    this.sim.note(`bank ${charge.reference} ${charge.amount} is ${state}`);
    if (state === 'paid') charge.paidAt = this.sim.now();
    for (const [place, report] of this.gateway.reports(charge).entries()) {
      if (place === 0 && state === 'paid') this.#paidReports.set(charge.reference, report);
      const inMs = this.#announce(report, charge);
      if (place === 0 && state === 'paid' && inMs !== undefined) this.#watchers.get(charge.reference)?.(inMs);
    }
  }

  /** Sends a report, and perhaps copies of it; returns in how many milliseconds the first one leaves. */
  #announce(report: () => Report, { ends_at }: Charge): number | undefined {
    const { sim, weather } = this;
    // Shortly before the end of a page it costs most.
    const isLast = ends_at - sim.now() < 3 * minuteMs;
    if (weather.happens('a report lost', isLast ? 0.5 : 0.15)) return undefined;
    const copies = weather.happens('a report repeated', 0.15) ? 1 + sim.whole(3) : 1;
    const delays = Array.from({ length: copies }, () =>
      weather.happens('a report late', 0.2)
        ? sim.between(minuteMs, 150 * minuteMs)
        : sim.between(20, sim.pick([200, 5000])),
    );
    for (const delay of delays) sim.later(delay, () => void this.#post(report, 0));
    return delays[0];
  }

  async #post(report: () => Report, tries: number): Promise<void> {
    const answer = await this.report(report());
    if (answer && this.gateway.isTaken(answer)) return;
    const wait = retriesMs[tries];
    if (wait !== undefined) this.sim.later(wait, () => void this.#post(report, tries + 1));
  }
}

export const refundedOf = ({ refunds }: Pick<Charge, 'refunds'>): number =>
  [...refunds.values()].reduce((sum, one) => sum + one, 0);
