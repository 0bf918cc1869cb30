import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Report } from '../bank.ts';
import type { Simulation } from '../simulation.ts';
import type { Weather } from '../weather.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const aheadMs = 7 * hourMs;
/** A report that is not taken comes again and again. */
const retriesMs = [1, 4, 10].map((minutes) => minutes * minuteMs);
/** Until after the next night, in which a host renews a key whose reports are refused. */
const longestMs = 26 * hourMs;

export const reporters = ['sepay', 'standard'] as const;
export type Reporter = (typeof reporters)[number];

/** Money that moved on an account at the bank. */
export interface Transaction {
  /** The bank's own; now and then two of another amount have the same. */
  id: string;
  /** Whose reporters see it. */
  team: number;
  account: string;
  amount: number;
  text: string;
  /** Full seconds, epoch milliseconds. */
  at: number;
  kind: 'in' | 'out' | 'on another account';
  /** The reference that its text holds, whole. */
  reference?: string;
  /** How often it was reported, and whether the service has said that it took a report. */
  reports: number;
  isTaken: boolean;
}

/** Who looks on while a report is taken. */
interface Onlooker {
  /** Before the first report of a transaction; returns who looks afterwards, if that was taken. */
  look: (transaction: Transaction) => () => void;
}

/** The bank of the hosts, with its books, and those who report what comes to an account: late, several times, or never. */
export class HostBank {
  readonly transactions: Transaction[] = [];
  /** The accounts that a team has given, with the earliest time from which guests are shown them. */
  readonly accounts: { team: number; number: string; from: number }[] = [];
  /** The keys of reporters, as the last answers had them. */
  readonly keys = new Map<string, string>();
  /** Reporters whose reports were refused since. */
  readonly refused = new Set<string>();
  onlooker: Onlooker | undefined;
  /** Sends a report to the service; undefined without an answer. */
  report: (report: Report) => Promise<{ status: number } | undefined> = async () => undefined;
  readonly #sim: Simulation;
  readonly #weather: Weather;
  #count = 0;

  constructor(sim: Simulation, weather: Weather) {
    this.#sim = sim;
    this.#weather = weather;
  }

  newAccount(team: number): string {
    return `0071${team}${String(++this.#count).padStart(3, '0')}`.slice(-19);
  }

  /** Money has moved; its id names the team, so that it is known wherever it is shown. */
  take(given: Pick<Transaction, 'team' | 'account' | 'amount' | 'text' | 'kind' | 'reference'>): void {
    const { transactions } = this;
    const last = transactions.findLast(({ team }) => team === given.team);
    const isShared = last !== undefined && last.amount !== given.amount && this.#sim.chance(0.04);
    const id = isShared ? last.id : `FT${given.team}X${transactions.length + 1}`;
    const at = this.#sim.now() - (this.#sim.now() % 1000);
    const transaction: Transaction = { ...given, id, at, reports: 0, isTaken: false };
    transactions.push(transaction);
    this.#sim.note(`bank ${id} ${given.kind} ${given.amount} "${given.text}"`);
    for (const reporter of reporters)
      if (this.keys.has(keyName(given.team, reporter))) this.#announce(transaction, reporter);
  }

  #announce(transaction: Transaction, reporter: Reporter): void {
    const { sim, weather } = { sim: this.#sim, weather: this.#weather };
    if (transaction.kind === 'out' && reporter === 'standard') return;
    if (weather.happens('a report of a transfer lost', 0.05)) return;
    const copies = weather.happens('a report of a transfer repeated', 0.2) ? 1 + sim.whole(3) : 1;
    // Both reporters, and the copies, mostly meet.
    const first = weather.happens('a report of a transfer late', 0.15)
      ? sim.between(minuteMs, 60 * minuteMs)
      : 3000;
    for (let copy = 0; copy < copies; copy++)
      sim.later(first + sim.between(0, 200), () => void this.#post(transaction, reporter, 0));
  }

  async #post(transaction: Transaction, reporter: Reporter, tries: number): Promise<void> {
    const after = transaction.reports++ === 0 ? this.onlooker?.look(transaction) : undefined;
    const answer = await this.report(this.#signed(transaction, reporter));
    const name = keyName(transaction.team, reporter);
    if (answer?.status === 200) {
      transaction.isTaken = true;
      if (transaction.reports === 1) after?.();
      return;
    }
    if (answer && answer.status < 500) this.refused.add(name);
    const wait = retriesMs[Math.min(tries, retriesMs.length - 1)]!;
    if (this.#sim.now() < transaction.at + longestMs)
      this.#sim.later(wait, () => void this.#post(transaction, reporter, tries + 1));
  }

  #signed(transaction: Transaction, reporter: Reporter): Report {
    const { id, team, account: account_number, amount, text, at, kind } = transaction;
    const secret = this.keys.get(keyName(team, reporter)) ?? '';
    const url = `/api/v1/payments/bank-transfers/${reporter}/${team}`;
    const seconds = Math.floor(this.#sim.now() / 1000);
    if (reporter === 'sepay') {
      const body = JSON.stringify({
        ...{
          id: this.transactions.indexOf(transaction),
          gateway: 'Vietcombank',
          accountNumber: account_number,
        },
        transactionDate: new Date(at + aheadMs).toISOString().slice(0, 19).replace('T', ' '),
        ...{ content: text, transferType: kind === 'out' ? 'out' : 'in' },
        ...{ transferAmount: amount, referenceCode: id },
      });
      const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
      const headers = { 'x-sepay-timestamp': `${seconds}`, 'x-sepay-signature': `sha256=${signature}` };
      return { method: 'POST', url, headers, body };
    }
    const received_at = new Date(at).toISOString();
    const body = JSON.stringify({ id, account_number, amount, currency: 'VND', text, received_at });
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': `${seconds}`,
      'webhook-signature': new Webhook(secret).sign(id, new Date(seconds * 1000), body),
    };
    return { method: 'POST', url, headers, body };
  }
}

export const keyName = (team: number, reporter: Reporter): string => `${team} ${reporter}`;
