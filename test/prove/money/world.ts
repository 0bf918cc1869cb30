import { setImmediate as turn } from 'node:timers/promises';
import { packStays, scheduleEnds } from '../../../shared/domain/booking/model.ts';
import { confirmRefund, repeatRefund } from '../../../shared/domain/payment/index.ts';
import { handlePaymentWebhook } from '../../../shared/domain/payment/reconcile-payments.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import type { PartnerCaller, UserCaller } from '../../../shared/platform/auth.ts';
import { type Context, type Dependencies, systemContext } from '../../../shared/platform/context.ts';
import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
} from '../../../shared/platform/dynamodb/index.ts';
import type { PaymentGateway } from '../../../shared/platform/payment/index.ts';
import { Table } from '../../../shared/platform/table/index.ts';
import { forgetIds } from '../memory/simulated-dependencies.ts';
import { type Command, SimulatedTable } from '../memory/simulated-table.ts';
import { type Item, itemsOf } from '../memory/values.ts';
import { silentLog } from '../schedule/handlers.ts';
import { callers, listingWrites, start } from '../schedule/scene.ts';
import { Bank, type BankTime, type Charge, type Report } from '../service/bank.ts';
import { unsureRefunds } from '../service/gateways/unsure-refunds.ts';
import { speakers } from '../service/gateways/speakers.ts';
import { replyOf } from '../service/versions.ts';
import { testContext } from '../../support/dependencies.ts';
import { senderOf } from '../../support/sender.ts';
import { testSealing } from '../../support/sealing.ts';
import { crashingTable } from '../../support/payment-scene.ts';
import { accountWrites, HostBank } from './host-bank.ts';
import type { Ledger } from './ledger.ts';
import { pageProblems } from './compare-pages.ts';
import type { MoneyBug } from './tampering-stays.ts';

/** Where a process dies: at its n-th transaction. */
export interface Crash {
  at: number;
  when: 'before' | 'after';
  onDeath?: () => void;
}

/** A report of the gateway that has not arrived. */
interface Waiting {
  reference: string;
  /** The gateway has other words for the same. */
  isFirst: boolean;
  send: () => void;
}

/** An event of the outbox. */
export interface Announced {
  event_type: string;
  data: { id: number; amount?: number; action?: string; payment_transaction_id?: string | null };
}

interface Payment {
  payment_id: number;
  state: string;
  url: string | null;
}

interface Stay {
  reservation_id: number;
  pending_change?: number;
  due_page?: number;
  deposit_hold?: { payment_id: number };
  pay_until?: number;
}

interface Adjusted {
  id: number;
  amount?: number;
  percent?: number;
  reason: string;
}

interface Order {
  items: { reservation_id: number; request: { adjustments?: Adjusted[] } }[];
}

const isRead = (command: Command): boolean =>
  command instanceof GetCommand || command instanceof BatchGetCommand || command instanceof QueryCommand;

const people = {
  guest: callers.an,
  owner: { ...callers.host, memberships: [{ team_id: 1, role: 'OWNER' as const }] },
} as const;
const partner: PartnerCaller = { ...callers.partner, scopes: [], collects_payment: true };
type Who = keyof typeof people | 'partner';

/** The real verbs over the table in memory, with a bank behind its gateway, at a time that the history sets. */
export class World {
  now = start;
  readonly bank: Bank;
  readonly deps: Dependencies;
  readonly events: Announced[] = [];
  readonly reports: Waiting[] = [];
  readonly hostBank = new HostBank(this);
  /** The pages that guests have been shown, by their references. */
  readonly pages = new Map<string, { url: string; charge: Charge }>();
  readonly lines: string[] = [];
  /** Two requests at once: each call may wait. */
  isShared = false;
  reader: 'statement' | 'service' = 'service';
  /** Whether anything was written, or paid, since someone has looked. */
  isTouched = true;
  readonly #random: () => number;
  readonly #memory = new SimulatedTable();
  readonly #bug: MoneyBug | undefined;
  #receiver: Dependencies | undefined;
  #deciding = '';
  #delivered: Promise<unknown> = Promise.resolve();

  constructor(random: () => number, gateway: number, bug: MoneyBug | undefined) {
    forgetIds();
    this.#random = random;
    this.#bug = bug;
    const below = (end: number): number => Math.floor(random() * end);
    const time: BankTime = {
      now: () => this.now,
      note: (line) => void this.lines.push(line),
      chance: (probability) => random() < probability,
      between: (low, high) => low + random() * (high - low),
      whole: below,
      pick: (values) => values[below(values.length)] as never,
      later: (_, send) => {
        if (this.#deciding === '') return () => undefined;
        const isFirst = !this.reports.some(({ reference }) => reference === this.#deciding);
        this.reports.push({ reference: this.#deciding, isFirst, send });
        return () => undefined;
      },
    };
    const speak = speakers[gateway % speakers.length];
    if (!speak) throw new Error('no gateway');
    this.bank = new Bank(time, { happens: () => false }, speak);
    this.bank.report = (report) => {
      this.#delivered = this.#receive(report);
      return Promise.resolve({ status: 200, body: '{"RspCode":"00"}' });
    };
    const client = this.bank.gateway.client(async (_, act) => {
      await this.#pause();
      return act();
    });
    const payments: PaymentGateway = bug?.gateway?.(client) ?? client;
    this.deps = {
      table: new Table({ client: senderOf((command) => this.#send(command)), tableName: 'prove' }),
      clock: { now: () => this.now },
      log: process.env['NOISE']
        ? { ...silentLog, warn: console.log, error: console.log, info: console.log }
        : silentLog,
      payments: () => payments,
      sealing: testSealing,
      identity: () => {
        throw new Error('no identity provider takes part in a history');
      },
    };
  }

  async open(listings: readonly Listing[]): Promise<void> {
    await this.deps.table.transact([
      ...listings.flatMap(listingWrites),
      ...(await accountWrites(new Date(start).toISOString())),
    ]);
  }

  /** The context of a request. */
  as(who: Who, crash?: Crash): Context<UserCaller> {
    return testContext(this.over(crash), (who === 'partner' ? partner : people[who]) as UserCaller);
  }

  asPartner(crash?: Crash): Context<PartnerCaller> {
    return testContext(this.over(crash), partner);
  }

  /** The dependencies of one process. */
  over(crash?: Crash): Dependencies {
    const table = crash
      ? crashingTable(this.deps.table, crash.at, crash.when, crash.onDeath)
      : this.deps.table;
    return { ...this.deps, table };
  }

  items(): readonly Item[] {
    return this.#memory.items();
  }

  /** A payment, as the service has it. */
  payment(id: number): Payment | undefined {
    return itemsOf<Payment>(this.items(), 'Payment').find(({ payment_id }) => payment_id === id);
  }

  /** The adjustments of a stay, as it was asked for: their ids are the service's to give. */
  adjustments(stay: number): Adjusted[] {
    const items = itemsOf<Order>(this.items(), 'Order').flatMap((order) => order.items);
    const item = items.find(({ reservation_id }) => reservation_id === stay);
    return item?.request.adjustments ?? [];
  }

  /** Until when a stay is to be paid. */
  payUntil(id: number): number | undefined {
    const stays = itemsOf<Stay>(this.items(), 'Reservation');
    return stays.find(({ reservation_id }) => reservation_id === id)?.pay_until;
  }

  /** The charges of the bank that were not reported, as the ledger has it. */
  unknown({ known }: Ledger): Charge[] {
    return this.bank.charges.filter(
      ({ state, reference, isHold }) => state === 'paid' && !isHold && !known.includes(reference),
    );
  }

  /** Guests get the addresses of all pages by mail. Returns those that are new. */
  visit(): Charge[] {
    const urls = itemsOf<Payment>(this.items(), 'Payment').map(({ url }) => url);
    return urls.flatMap((url) => {
      const charge = typeof url === 'string' ? this.bank.gateway.visit(url) : undefined;
      if (!url || !charge || this.pages.has(charge.reference)) return [];
      this.pages.set(charge.reference, { url, charge });
      return [charge];
    });
  }

  /** The ids of pages are the service's to give; their amounts are not. Returns what is wrong with them. */
  bind(ledger: Ledger, pages: readonly Charge[]): { problems: string[]; ofPages: string[] } {
    const stays = itemsOf<Stay>(this.items(), 'Reservation');
    const problems = ledger.purses.flatMap((purse) => {
      const stay = stays.find(({ reservation_id }) => reservation_id === purse.id);
      const held = stay?.deposit_hold?.payment_id;
      if (held !== undefined) ledger.roles[held] = { of: 'hold', stay: purse.id };
      if (held !== undefined && purse.hold) purse.hold.payment ??= held;
      if (stay?.due_page !== undefined) ledger.roles[stay.due_page] = { of: 'due', stay: purse.id };
      const id = stay?.pending_change;
      if (id !== undefined) ledger.roles[id] = { of: 'change', stay: purse.id };
      const { awaited } = purse;
      if (!awaited) return [];
      if (id === undefined || (awaited.payment !== -1 && awaited.payment !== id))
        return [`the change of ${purse.id} that waits is ${id}, not ${awaited.payment}`];
      awaited.payment = id;
      const page = [...this.pages.values()].find(({ charge }) => charge.payment_id === id)?.charge;
      if (page) awaited.endsAt ??= page.ends_at;
      return page && page.amount !== awaited.due
        ? [`the change of ${purse.id} that waits asks for ${page.amount}, not ${awaited.due}`]
        : [];
    });
    return { problems, ofPages: pages.flatMap((page) => pageProblems(ledger, page, this.now)) };
  }

  /** A person looks up what became of refunds of which the gateway does not say it. */
  async lookUp(): Promise<void> {
    for (const { isMade, ...refund } of unsureRefunds(this.#memory, this.bank))
      await (isMade ? confirmRefund : repeatRefund)(this.deps, refund);
  }

  /** A guest pays on a page, if the gateway still takes it; its report waits. */
  pay(url: string, reference: string): boolean {
    this.#deciding = reference;
    this.isTouched = true;
    const isPaid = this.bank.decide(url, true);
    // What is charged to a token is answered at once; its reports do not arrive.
    this.#deciding = '';
    return isPaid;
  }

  /** A report arrives; it may come again. */
  async deliver({ send }: Waiting, deps: Dependencies): Promise<unknown> {
    this.#receiver = deps;
    send();
    const delivered = this.#delivered;
    this.#delivered = Promise.resolve();
    return delivered;
  }

  /** The worker of lists, which statements and the schedule of ends read. */
  async list(order: number): Promise<void> {
    const ids = itemsOf<Stay>(this.items(), 'Reservation').map(({ reservation_id }) => reservation_id);
    await scheduleEnds(this.deps, ids);
    await packStays(this.deps, [order]);
  }

  #receive({ method, url, headers, body }: Report): Promise<unknown> {
    const { pathname, searchParams } = new URL(url, 'https://nightlatch.example.com');
    return handlePaymentWebhook(systemContext(this.#receiver ?? this.deps, 'anonymous'), {
      provider: pathname.split('/').at(-1) ?? '',
      method,
      raw: { body, headers, query: Object.fromEntries(searchParams) },
    });
  }

  async #send(command: Command): Promise<object> {
    await this.#pause();
    const sent = this.#bug?.tamper?.(command) ?? command;
    if (!isRead(sent)) this.isTouched = true;
    const reply = await this.#memory.execute(sent);
    if (sent instanceof TransactWriteCommand)
      for (const { Put } of sent.input.TransactItems ?? [])
        if (Put?.Item?.['entity'] === 'Event') this.events.push(Put.Item as Item & Announced);
    const { reading } = this.#bug ?? {};
    return reading ? replyOf(sent, reply, (item) => reading(item, this.reader)) : reply;
  }

  /** The other request may go on first. */
  async #pause(): Promise<void> {
    if (!this.isShared) return;
    for (let turns = Math.floor(this.#random() * 4); turns > 0; turns--) await turn();
  }
}
