import type { Dependencies } from '../../../shared/platform/context.ts';
import { Operator } from './actors/operator.ts';
import { Bank, type Report } from './bank.ts';
import type { ServiceBug } from './bug.ts';
import { Answers, Client } from './client.ts';
import { Cloud } from './cloud.ts';
import { FunctionPool } from './function-pool.ts';
import type { Outside } from './functions.ts';
import { speakers } from './gateways/speakers.ts';
import { unsureRefunds } from './gateways/unsure-refunds.ts';
import { Crew } from './identity/crew.ts';
import { Newcomers } from './identity/newcomers.ts';
import { Tenant } from './identity/tenant.ts';
import { Access } from './judge/access.ts';
import type { Less } from './less.ts';
import { operatorFunction } from './operator-tool.ts';
import { Platforms } from './platforms.ts';
import { linkIn, Received, type SentMail } from './post.ts';
import { type Often, Simulation } from './simulation.ts';
import { ServiceTable } from './table.ts';
import { directDependencies, hours, month, Town } from './town.ts';
import { HostBank } from './transfers/host-bank.ts';
import { watchReport } from './transfers/watch.ts';
import { Weather } from './weather.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

Object.assign(process.env, {
  METRICS_DISABLED: 'true',
});

export interface HistoryOptions {
  hostileHours?: number;
  /** Without the last half hour. By default longer than what platforms were given once can be an echo. */
  quietHours?: number;
  /** What is left out to shorten a history that failed. */
  less?: Less | undefined;
  /** Days that people live at a slower pace, instead of hostile hours. */
  days?: number | undefined;
  /** Also has teams that invite people, and thieves. */
  hasCrew?: boolean | undefined;
  often?: Often | undefined;
  bug?: ServiceBug | undefined;
}

/** What takes part in a history: the cloud with its weather, the people and what is outside. */
export class World {
  readonly sim: Simulation;
  readonly weather: Weather;
  readonly table: ServiceTable;
  readonly bank: Bank;
  readonly cloud: Cloud;
  readonly answers = new Answers();
  readonly town: Town;
  readonly platforms: Platforms;
  readonly tenant: Tenant;
  readonly newcomers: Newcomers;
  readonly received: Received;
  readonly mails: SentMail[] = [];
  readonly problems = new Set<string>();
  readonly options: HistoryOptions;
  readonly operator: Operator;
  readonly hostileMs: number;
  readonly crew: Crew | undefined;

  constructor(seed: number, options: HistoryOptions) {
    this.options = options;
    const sim = new Simulation(seed, options.often);
    this.sim = sim;
    this.weather = new Weather(sim, options.less?.faults);
    this.weather.isCalm = true;
    // The shortest life of Stripe's page is longer than the first.
    process.env['PAYMENT_WINDOW_MINUTES'] = sim.pick(['30', '45']);
    this.bank = new Bank(sim, this.weather, sim.pick(speakers));
    this.tenant = new Tenant(sim, this.weather);
    this.received = new Received(sim, this.weather);
    this.table = new ServiceTable(sim, this.weather, () => this.cloud.stream.wake());
    const { less, hostileHours = 2, days = less?.days } = options;
    this.cloud = new Cloud(sim, this.weather, this.#outside(), days !== undefined);
    const client = new Client(sim, this.weather, this.cloud.gateway, this.answers, less);
    this.hostileMs = (less?.hostileHours ?? (days === undefined ? hostileHours : days * 24)) * hourMs;
    this.town = new Town(sim, client, days === undefined ? hours : month, new HostBank(sim, this.weather));
    this.platforms = new Platforms(this.town, this.weather, this.cloud.gateway, this.table);
    this.newcomers = new Newcomers(this.town, this.tenant, {
      ...directDependencies(this.table, sim),
      identity: () => this.tenant.client(async (_, act) => act(), { now: () => sim.now() }),
    } as Dependencies);
    const tool = new FunctionPool(sim, this.weather, {
      name: 'operator',
      timeoutMs: 30 * minuteMs,
      make: (machine) => operatorFunction(machine, this.#outside()),
    });
    const operate = (args: readonly string[]) => tool.invoke(args);
    if (less?.hasCrew ?? options.hasCrew)
      this.crew = new Crew(this.town, this.tenant, new Access(), {
        operate,
        count: (command) => this.answers.count(command),
      });
    this.tenant.mail = (account, what) => {
      this.newcomers.read(account, what);
      this.crew?.read(account, what);
    };
    this.operator = new Operator(this.town, this.answers, {
      operate,
      unsureRefunds: () => unsureRefunds(this.table, this.bank),
    });
    this.bank.report = (report) => this.#report(report);
    const { hostBank, homes } = this.town;
    hostBank.report = (report) => this.#report(report, 'takeBankReport');
    hostBank.onlooker = watchReport(
      () => ({ now: sim.now(), items: this.table.items(), homes }),
      (problem) => this.add([problem]),
    );
  }

  add(problems: readonly string[]): void {
    for (const problem of problems) {
      if (!this.problems.has(problem)) this.sim.note(`=> ${problem}`);
      this.problems.add(problem);
    }
  }

  #outside(): Outside {
    return {
      table: this.table,
      bank: this.bank,
      tenant: this.tenant,
      queue: (name) => {
        const queue = this.cloud.queues.get(name);
        if (!queue) throw new Error(`no queue ${name}`);
        return queue;
      },
      publish: (type, detail) => this.cloud.publish(type, detail),
      endpoint: (url, headers, body) => this.received.take(url, headers, body),
      calendar: (url, headers) => this.platforms.answer(url, headers),
      mailbox: (mail, by) => {
        const sent = { ...mail, by, at: this.sim.now() };
        this.mails.push(sent);
        if (linkIn(sent) !== undefined) this.town.letters.push(sent);
        this.crew?.receive(sent);
      },
      now: () => this.sim.now(),
      bug: this.options.bug,
      note: (line) => this.sim.note(line),
      fail: (problem) => this.add([problem]),
    };
  }

  async #report({ method, url, headers, body }: Report, verb?: string) {
    const answer = await this.sim.inside(() =>
      this.cloud.gateway.dispatch({
        method,
        url,
        headers: Object.entries(headers),
        body: Buffer.from(body),
        sourceIp: '203.0.113.9',
      }),
    );
    const ofGateway = method === 'POST' ? 'handlePaymentWebhook' : 'handlePaymentIpn';
    this.answers.count(`${verb ?? ofGateway} ${answer.status}`);
    return this.weather.happens('an answer to the bank lost', 0.05) ? undefined : answer;
  }
}
