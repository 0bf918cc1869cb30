import {
  createSandbox,
  sandboxSignatureHeader,
  signSandbox,
} from '../../../../shared/platform/payment/sandbox.ts';
import type {
  DueCharge,
  DueRefund,
  DueSession,
  OpenedPayment,
  Outcome,
  PaymentGateway,
} from '../../../../shared/platform/payment/index.ts';
import type { Bank, Charge, Network, Report, SimulatedGateway } from '../bank.ts';

const secret = 'the secret of the simulated bank';

/** The sandbox's protocol: JSON calls, and reports with a signature over their body. */
export class SandboxGateway implements SimulatedGateway {
  readonly takesTokens = true;
  readonly #bank: Bank;
  /** Like some gateways, it cannot close a page before its end. */
  readonly #keepsPages: boolean;

  constructor(bank: Bank) {
    this.#bank = bank;
    this.#keepsPages = bank.sim.chance(0.3);
  }

  client(network: Network): PaymentGateway {
    return createSandbox({ secret, ask: (path, body) => network(path, () => this.#answer(path, body)) });
  }

  visit(url: string): Charge | undefined {
    return this.#bank.find(new URL(url).pathname.slice(1));
  }

  decline(charge: Charge): void {
    this.#bank.turn(charge, 'declined');
  }

  reports(charge: Charge): (() => Report)[] {
    const isTold = charge.state === 'authorised' && charge.isHold;
    if (charge.state !== 'paid' && charge.state !== 'declined' && !isTold) return [];
    const { payment_id, reference } = charge;
    const body = JSON.stringify({ payment_id, reference, outcome: this.#outcome(charge) });
    const headers = {
      'Content-Type': 'application/json',
      [sandboxSignatureHeader]: signSandbox(secret, body),
    };
    return [() => ({ method: 'POST', url: '/api/v1/payments/webhook/sandbox', headers, body })];
  }

  isTaken({ status }: { status: number }): boolean {
    return status < 300;
  }

  #answer(path: string, body: unknown): unknown {
    const answers: Record<string, (given: never) => unknown> = {
      '/sessions': (due: DueSession) => this.#openSession(due),
      '/charges': (due: DueCharge) => this.#openCharge(due),
      '/charge': (opened: OpenedPayment & { token: string }) => this.#charge(opened),
      '/capture': (opened: OpenedPayment) => this.#capture(opened),
      '/find': (opened: OpenedPayment) => this.#find(opened),
      '/close': (opened: OpenedPayment) => this.#close(opened),
      '/refunds': (due: DueRefund) => this.#refund(due),
    };
    const answer = answers[path];
    if (!answer) throw new Error(`the bank has no call ${path}`);
    return answer(JSON.parse(JSON.stringify(body)) as never);
  }

  #openSession({ payment_id, attempt, amount, currency, ends_at, captured_later }: DueSession) {
    const reference = `page-${payment_id}-${attempt}-${amount}`;
    this.#bank.open({
      reference,
      payment_id,
      kind: 'page',
      amount,
      currency,
      ends_at,
      isHold: captured_later === true,
    });
    return { reference, url: `https://bank.example.com/${reference}` };
  }

  #openCharge({ payment_id, amount, currency, captured_later }: DueCharge) {
    const reference = `intent-${payment_id}`;
    const kind = captured_later ? 'authorisation' : 'token';
    this.#bank.open({ reference, payment_id, kind, amount, currency, ends_at: Infinity });
    return { reference };
  }

  #charge({ token, ...opened }: OpenedPayment & { token: string }): Outcome {
    const charge = this.#known(opened);
    if (charge.state === 'open' && this.#bank.payByToken(charge, token) === 'declined')
      this.#bank.turn(charge, 'declined');
    return this.#outcome(charge);
  }

  #capture(opened: OpenedPayment): Outcome {
    const charge = this.#known(opened);
    this.#bank.capture(charge, opened.captures);
    return this.#outcome(charge);
  }

  #find(opened: OpenedPayment): Outcome {
    const charge = this.#known(opened);
    this.#bank.asked(charge);
    return this.#outcome(charge);
  }

  #close(opened: OpenedPayment): Outcome {
    const charge = this.#known(opened);
    const mayClose = charge.kind !== 'page' || charge.state === 'authorised' || !this.#keepsPages;
    if (mayClose && (charge.state === 'open' || charge.state === 'authorised')) charge.state = 'closed';
    this.#bank.asked(charge);
    return this.#outcome(charge);
  }

  #refund({ refund_id, transaction_id, amount }: DueRefund) {
    this.#bank.refund(this.#bank.byTransaction(transaction_id), refund_id, amount);
    return { refunded: true };
  }

  #known({ reference }: Pick<OpenedPayment, 'reference'>): Charge {
    const charge = this.#bank.find(reference);
    if (!charge) throw new Error(`the bank does not know ${reference}`);
    return charge;
  }

  #outcome(charge: Charge): Outcome {
    const { kind, state, transaction_id, currency, captured: amount = charge.amount } = charge;
    if (state === 'authorised') return { state };
    if (state === 'paid') return { state, transaction_id, amount, currency };
    const isOpen = state === 'processing' || this.#bank.isOpen(charge);
    const isFinal = !isOpen && (state !== 'open' || kind === 'page');
    return { state: 'unpaid', final: isFinal, reason: state };
  }
}
