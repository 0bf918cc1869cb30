import { createHash } from 'node:crypto';
import { sandboxSignatureHeader, signSandbox } from '../../../shared/platform/payment/sandbox.ts';
import type {
  DueCharge,
  DueRefund,
  DueSession,
  OpenedPayment,
  Outcome,
} from '../../../shared/platform/payment/index.ts';
import type { Simulation } from './simulation.ts';
import type { Weather } from './weather.ts';

export const bankSecret = 'the secret of the simulated bank';

/** A page, a charge by token or an authorisation, as the bank keeps it. */
interface Charge {
  payment_id: number;
  reference: string;
  kind: 'page' | 'token' | 'authorisation';
  amount: number;
  currency: string;
  state: 'open' | 'processing' | 'authorised' | 'paid' | 'declined' | 'closed';
  isUncapturable: boolean;
  transaction_id: string;
  ends_at: number;
  /** When it was paid, epoch milliseconds. */
  paidAt?: number;
  refunds: Map<string, number>;
}

/** Posts a report to the service; returns the status of the answer, undefined without one. */
type Report = (headers: Record<string, string>, body: string) => Promise<number | undefined>;

const minuteMs = 60_000;
const referenceOf = (url: string): string => new URL(url).pathname.slice(1);

const retriesMs = [1, 10, 60, 120].map((minutes) => minutes * minuteMs);

/**
 * The bank behind the payment gateway, with its own ledger. Every page and charge stands alone, so an earlier page may be
 * paid too; some payments take minutes; reports are lost, late, repeated and out of order.
 */
export class Bank {
  readonly #sim: Simulation;
  readonly #weather: Weather;
  readonly #charges = new Map<string, Charge>();
  readonly problems: string[] = [];
  readonly #watchers = new Map<string, (inMs: number) => void>();
  report: Report = async () => undefined;
  /** Like some gateways, it cannot close a page before its end. */
  readonly keepsPages: boolean;

  constructor(sim: Simulation, weather: Weather) {
    this.#sim = sim;
    this.#weather = weather;
    this.keepsPages = sim.chance(0.3);
  }

  get charges(): Charge[] {
    return [...this.#charges.values()];
  }

  /** Answers a call of the gateway's client. */
  answer(path: string, body: unknown): unknown {
    const answers: Record<string, (given: never) => unknown> = {
      '/sessions': (due: DueSession) => this.#openSession(due),
      '/charges': (due: DueCharge) => this.#openCharge(due),
      '/charge': (opened: OpenedPayment & { token: string }) => this.#chargeToken(opened),
      '/capture': (opened: OpenedPayment) => this.#capture(opened),
      '/find': (opened: OpenedPayment) => this.#outcome(this.#known(opened)),
      '/close': (opened: OpenedPayment) => this.#close(opened),
      '/refunds': (due: DueRefund) => this.#refund(due),
    };
    const answer = answers[path];
    if (!answer) throw new Error(`the bank has no call ${path}`);
    return answer(JSON.parse(JSON.stringify(body)) as never);
  }

  /** The end of a page, epoch milliseconds. */
  endsAt(url: string): number {
    return this.#charges.get(referenceOf(url))?.ends_at ?? 0;
  }

  /** Calls `watcher` when a page has been paid, with the milliseconds until its report arrives at the service. */
  onPaid(url: string, watcher: (inMs: number) => void): void {
    this.#watchers.set(referenceOf(url), watcher);
  }

  /** A guest on the page: pays or is declined, if the page is open. Returns whether the page accepted it. */
  decide(url: string, pays: boolean): boolean {
    const charge = this.#charges.get(referenceOf(url));
    if (charge?.state !== 'open' || this.#sim.now() > charge.ends_at) return false;
    if (!pays) this.#turn(charge, 'declined');
    else if (this.#weather.happens('money that takes its time', 0.1)) {
      charge.state = 'processing';
      this.#sim.later(this.#sim.between(minuteMs, 40 * minuteMs), () => this.#turn(charge, 'paid'));
    } else this.#turn(charge, 'paid');
    return true;
  }

  #openSession({ payment_id, attempt, amount, currency, ends_at }: DueSession) {
    const reference = `page-${payment_id}-${attempt}-${amount}`;
    this.#open({ reference, payment_id, kind: 'page', amount, currency, ends_at });
    return { reference, url: `https://bank.example.com/${reference}` };
  }

  #openCharge({ payment_id, amount, currency, captured_later }: DueCharge) {
    const reference = `intent-${payment_id}`;
    const kind = captured_later ? 'authorisation' : 'token';
    this.#open({ reference, payment_id, kind, amount, currency, ends_at: Infinity });
    return { reference };
  }

  #open(given: Pick<Charge, 'reference' | 'payment_id' | 'kind' | 'amount' | 'currency' | 'ends_at'>): void {
    if (this.#charges.has(given.reference)) return;
    const digest = createHash('sha256').update(given.reference).digest('hex').slice(0, 20);
    this.#charges.set(given.reference, {
      ...given,
      state: 'open',
      isUncapturable: false,
      transaction_id: `txn_${digest}`,
      refunds: new Map(),
    });
  }

  #chargeToken({ token, ...opened }: OpenedPayment & { token: string }): Outcome {
    const charge = this.#known(opened);
    if (charge.state !== 'open') return this.#outcome(charge);
    if (token !== 'tok_ok' && token !== 'tok_uncapturable') this.#turn(charge, 'declined');
    else if (charge.kind === 'authorisation') {
      charge.isUncapturable = token === 'tok_uncapturable';
      this.#turn(charge, 'authorised');
    } else this.#turn(charge, 'paid');
    return this.#outcome(charge);
  }

  #capture(opened: OpenedPayment): Outcome {
    const charge = this.#known(opened);
    if (charge.state === 'authorised') this.#turn(charge, charge.isUncapturable ? 'declined' : 'paid');
    return this.#outcome(charge);
  }

  #close(opened: OpenedPayment): Outcome {
    const charge = this.#known(opened);
    const mayClose = charge.kind !== 'page' || !this.keepsPages;
    if (mayClose && (charge.state === 'open' || charge.state === 'authorised')) charge.state = 'closed';
    return this.#outcome(charge);
  }

  #refund({ payment_id, refund_id, transaction_id, amount }: DueRefund) {
    const charge = this.charges.find((one) => one.transaction_id === transaction_id);
    if (charge?.state !== 'paid') {
      this.problems.push(`refund ${refund_id} of ${payment_id}: there is no charge ${transaction_id}`);
      throw new Error('no such charge');
    }
    if (charge.refunds.has(refund_id)) return { refunded: true };
    charge.refunds.set(refund_id, amount);
    this.#sim.note(`bank refunds ${amount} of ${charge.reference} (${refund_id})`);
    const refunded = [...charge.refunds.values()].reduce((sum, one) => sum + one, 0);
    if (refunded > charge.amount)
      this.problems.push(`${charge.reference}: ${refunded} refunded of ${charge.amount}`);
    return { refunded: true };
  }

  #known({ reference }: Pick<OpenedPayment, 'reference'>): Charge {
    const charge = this.#charges.get(reference);
    if (!charge) throw new Error(`the bank does not know ${reference}`);
    return charge;
  }

  #outcome({ kind, state, transaction_id, amount, currency, ends_at }: Charge): Outcome {
    if (state === 'authorised') return { state };
    if (state === 'paid') return { state, transaction_id, amount, currency };
    const isOpen = state === 'processing' || (state === 'open' && this.#sim.now() <= ends_at);
    const isFinal = !isOpen && (state !== 'open' || kind === 'page');
    return { state: 'unpaid', final: isFinal, reason: state };
  }

  #turn(charge: Charge, state: Charge['state']): void {
    charge.state = state;
    this.#sim.note(`bank ${charge.reference} ${charge.amount} is ${state}`);
    if (state !== 'paid' && state !== 'declined') return;
    if (state === 'paid') charge.paidAt = this.#sim.now();
    const { payment_id, reference } = charge;
    const body = JSON.stringify({ payment_id, reference, outcome: this.#outcome(charge) });
    if (this.#weather.happens('a report lost', 0.15)) return;
    const copies = this.#weather.happens('a report repeated', 0.15) ? 1 + this.#sim.whole(3) : 1;
    for (let copy = 0; copy < copies; copy++) {
      const isLate = this.#weather.happens('a report late', 0.2);
      const delay = isLate
        ? this.#sim.between(minuteMs, 150 * minuteMs)
        : this.#sim.between(20, this.#sim.pick([200, 5000]));
      this.#sim.later(delay, () => void this.#post(body, 0));
      if (copy === 0 && state === 'paid') this.#watchers.get(reference)?.(delay);
    }
  }

  async #post(body: string, tries: number): Promise<void> {
    const headers = {
      'Content-Type': 'application/json',
      [sandboxSignatureHeader]: signSandbox(bankSecret, body),
    };
    const status = await this.report(headers, body);
    if (status !== undefined && status < 300) return;
    const wait = retriesMs[tries];
    if (wait !== undefined) this.#sim.later(wait, () => void this.#post(body, tries + 1));
  }
}
