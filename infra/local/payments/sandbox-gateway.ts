import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import {
  bankAsksForCustomer,
  type Due,
  type DueCharge,
  type DueRefund,
  type DueSession,
  type OpenedPayment,
  type Outcome,
} from '../../../shared/platform/payment/index.ts';
import { replaceFile } from '../replace-file.ts';

/** An attempt at a payment: a page, or a charge by token. */
export interface SandboxPayment {
  payment_id: number;
  kind: 'page' | 'token' | 'authorisation';
  /** Of a page: it authorises, and a later call captures. */
  captured_later?: true;
  /** What of an authorisation was captured; absent: all. */
  captured?: number;
  amount: number;
  currency: string;
  reference: string;
  state: 'open' | 'authorised' | 'uncapturable' | 'paid' | 'declined' | 'closed';
  transaction_id: string | null;
  /** When the page closes, in epoch milliseconds; null without a page. */
  ends_at: number | null;
  /** Why it is not paid, where the state alone does not explain it. */
  reason?: string;
  /** Refunded amounts by refund id. */
  refunds: Record<string, number>;
}

export interface SandboxGateway {
  /** Sets the base URL of the pages. */
  openAt(apiUrl: string): void;
  apiUrl(): string;
  /** Returns an attempt by its reference, or the newest one of a payment by the payment's id. */
  find(key: string | number): SandboxPayment | undefined;
  /** Returns the attempts of a payment, the oldest first. */
  attempts(payment_id: number): SandboxPayment[];
  /** Handles a call of the service. */
  answer(path: string, body: unknown): Promise<unknown>;
  /** Applies the customer's decision on the page. */
  decide(payment: SandboxPayment, outcome: 'success' | 'failure'): void;
  clock: Clock;
}

/** Thrown for an unknown payment or call. */
export class UnknownPayment extends Error {}

/** Thrown after a call that was carried out, but whose answer is not to arrive. */
export class LostAnswer extends Error {}

/** How long `tok_slow` takes: well below the timeout of the service's call. */
const slowMs = 3000;

/** The attempts of the sandbox by their reference, stored in the data directory if there is one. */
class SandboxPayments {
  readonly #payments: Map<string, SandboxPayment>;
  readonly #file: string | undefined;

  constructor(dataDir: string | undefined) {
    if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });
    this.#file = dataDir === undefined ? undefined : join(dataDir, 'payments.json');
    const text = this.#file !== undefined && existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : '[]';
    const stored = JSON.parse(text) as SandboxPayment[];
    this.#payments = new Map(stored.map((payment) => [payment.reference, payment]));
  }

  find(key: string | number): SandboxPayment | undefined {
    return typeof key === 'number' ? this.attempts(key).at(-1) : this.#payments.get(key);
  }

  attempts(paymentId: number): SandboxPayment[] {
    return this.all().filter(({ payment_id }) => payment_id === paymentId);
  }

  known(reference: string): SandboxPayment {
    const found = this.find(reference);
    if (!found) throw new UnknownPayment(`no payment ${reference}`);
    return found;
  }

  all(): SandboxPayment[] {
    return [...this.#payments.values()];
  }

  keep(payment: SandboxPayment): void {
    this.#payments.set(payment.reference, payment);
    if (this.#file !== undefined) replaceFile(this.#file, JSON.stringify(this.all()));
  }

  /** Opens a page or a charge; idempotent. */
  open(
    { payment_id, amount, currency }: Due,
    kind: SandboxPayment['kind'],
    page?: DueSession,
  ): SandboxPayment {
    const name = `sbx_${payment_id}_${page?.attempt ?? 'token'}`;
    // Two runs of the service may open the same attempt for different stays.
    const isTaken = page !== undefined && (this.find(name)?.amount ?? amount) !== amount;
    const reference = isTaken ? `${name}_${amount}` : name;
    const before = this.find(reference);
    if (before) return before;
    const opened: SandboxPayment = {
      payment_id,
      kind,
      amount,
      currency,
      reference,
      state: 'open',
      transaction_id: null,
      ends_at: page?.ends_at ?? null,
      ...(page?.captured_later ? { captured_later: true } : {}),
      refunds: {},
    };
    this.keep(opened);
    return opened;
  }

  /** Applies a token to an open payment. */
  charge(payment: SandboxPayment, token: string): void {
    const isAuthorisation = payment.kind === 'authorisation';
    if (token === 'tok_3ds') this.keep({ ...payment, state: 'declined', reason: bankAsksForCustomer });
    else if (isAuthorisation && token === 'tok_uncapturable')
      this.keep({ ...payment, state: 'uncapturable' });
    else if (!acceptedTokens.includes(token)) this.keep({ ...payment, state: 'declined' });
    else if (isAuthorisation) this.keep({ ...payment, state: 'authorised' });
    else this.pay(payment);
  }

  pay(payment: SandboxPayment): void {
    const transaction_id = payment.transaction_id ?? transactionOf(payment);
    this.keep({ ...payment, state: 'paid', transaction_id });
  }
}

type Routes = Record<string, (body: never) => unknown>;

/** The tokens that are charged or authorised; others are declined. */
const acceptedTokens = ['tok_ok', 'tok_uncapturable', 'tok_slow', 'tok_lost_answer'];

type Wait = (ms: number) => Promise<unknown>;

/** Returns the calls of the sandbox by path. */
const routesOf = (ledger: SandboxPayments, pageOf: (reference: string) => string, wait: Wait): Routes => ({
  '/sessions': (due: DueSession) => {
    const { reference } = ledger.open(due, 'page', due);
    return { reference, url: pageOf(reference) };
  },
  '/charges': (due: DueCharge) => ({
    reference: ledger.open(due, due.captured_later ? 'authorisation' : 'token').reference,
  }),
  '/charge': async ({ reference, token }: OpenedPayment & { token: string }) => {
    if (token === 'tok_slow') await wait(slowMs);
    const payment = ledger.known(reference);
    if (payment.state === 'open') {
      ledger.charge(payment, token);
      if (token === 'tok_lost_answer') throw new LostAnswer(`charge of ${reference}`);
    }
    return outcomeOf(ledger.known(reference));
  },
  '/capture': ({ reference, captures }: OpenedPayment) => {
    const payment = ledger.known(reference);
    if (payment.state === 'authorised')
      ledger.pay(captures === undefined ? payment : { ...payment, captured: captures });
    if (payment.state === 'uncapturable') ledger.keep({ ...payment, state: 'declined' });
    return outcomeOf(ledger.known(reference));
  },
  '/find': ({ reference }: OpenedPayment) => outcomeOf(ledger.known(reference)),
  '/close': ({ reference }: OpenedPayment) => {
    const payment = ledger.known(reference);
    if (payment.state === 'open' || isAuthorised(payment)) ledger.keep({ ...payment, state: 'closed' });
    return outcomeOf(ledger.known(reference));
  },
  '/refunds': ({ reference, refund_id, amount }: DueRefund) => {
    const payment = ledger.known(reference);
    ledger.keep({ ...payment, refunds: { ...payment.refunds, [refund_id]: amount } });
    return { refunded: true };
  },
  '/movements': () => ledger.all().flatMap(movementsOf),
});

/** Everything that was charged and refunded; the sandbox keeps no times. */
const movementsOf = ({ payment_id, transaction_id, currency, refunds, ...payment }: SandboxPayment) => {
  const amount = payment.captured ?? payment.amount;
  if (transaction_id === null) return [];
  const common = { payment_id, transaction_id, currency, at: null };
  return [
    { ...common, kind: 'charge', refund_id: null, amount },
    ...Object.entries(refunds).map(([refund_id, amount]) => ({
      ...common,
      kind: 'refund',
      refund_id,
      amount,
    })),
  ];
};

/** Returns the sandbox gateway. Like a real one it stores payments, and it accepts late ones. */
export const openSandboxGateway = ({
  clock,
  dataDir,
  wait = (ms) => setTimeout(ms),
}: {
  clock: Clock;
  dataDir?: string;
  /** Waits before `tok_slow` is charged. */
  wait?: Wait;
}): SandboxGateway => {
  const ledger = new SandboxPayments(dataDir);
  let url = '';
  const answers = routesOf(ledger, (reference) => `${url}/_local/payments/${reference}`, wait);
  return {
    clock,
    openAt: (apiUrl) => void (url = apiUrl),
    apiUrl: () => url,
    find: (key) => ledger.find(key),
    attempts: (payment_id) => ledger.attempts(payment_id),
    answer: async (path, body) => {
      const reply = answers[path];
      if (!reply) throw new UnknownPayment(`no such call: ${path}`);
      return reply(body as never);
    },
    decide: (payment, outcome) => {
      if (outcome === 'success' && payment.captured_later) ledger.keep({ ...payment, state: 'authorised' });
      else if (outcome === 'success') ledger.pay(payment);
      else if (payment.state !== 'paid') ledger.keep({ ...payment, state: 'declined' });
    },
  };
};

const isAuthorised = ({ state }: Pick<SandboxPayment, 'state'>): boolean =>
  state === 'authorised' || state === 'uncapturable';

export const outcomeOf = ({
  state,
  transaction_id,
  currency,
  reason,
  ...payment
}: SandboxPayment): Outcome => {
  const amount = payment.captured ?? payment.amount;
  if (isAuthorised({ state })) return { state: 'authorised' };
  if (state === 'paid') return { state: 'paid', transaction_id: transaction_id ?? '', amount, currency };
  const isClosed = state === 'closed';
  return {
    ...{ state: 'unpaid', final: state !== 'open', reason: reason ?? state },
    ...(isClosed ? { closed: true } : {}),
  };
};

const transactionOf = ({ reference }: SandboxPayment): string =>
  `sbt_${createHash('sha256').update(reference).digest('hex').slice(0, 20)}`;
