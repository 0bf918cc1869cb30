import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ProvisionedThroughputExceededException,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  PutCommand,
  TransactWriteCommand,
} from '../../../shared/platform/dynamodb/index.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { noGateway } from '../../../shared/platform/payment/no-gateway.ts';
import { checkEveryRecord, type RecordCheck, Table } from '../../../shared/platform/table/index.ts';
import type { Item } from '../memory/values.ts';
import { withSdkRetries } from '../memory/sdk-client.ts';
import type { Backend, Command } from '../memory/simulated-table.ts';
import { type RawAnswer, send, silentLog } from './handlers.ts';
import { type Answered, type HistoryEvent, type Intent, type Names, placeOf } from './history.ts';
import type { Asking, ClockMove, FaultKind, Plan, Session, Wish } from './plan.ts';
import { type Known, requestOf } from './requests.ts';
import { homeOf, hourSpan, start, type Who } from './scene.ts';
import { runVirtual, seeded } from './virtual.ts';
import { viewOf } from './view.ts';
import { testSealing } from '../../support/sealing.ts';
import { senderOf } from '../../support/sender.ts';

/** Where a schedule runs. */
export interface Stage {
  backend: Backend;
  /** The items of the table, if they can be read between two steps; otherwise they are read once, at the end. */
  items?: () => readonly Item[];
  itemsAtRest: () => Promise<readonly Item[]>;
  /** The number of committed transactions. */
  effects?: () => number;
  /** Deletes expired items. */
  sweep?: (nowMs: number) => unknown;
  /** How often the table did something besides answering. */
  counts?: () => ReadonlyMap<string, number>;
  /** A seeded bug that changes commands; none for the real service. */
  tamper?: (execute: Backend['execute']) => Backend['execute'];
}

export interface Outcome {
  history: HistoryEvent[];
  /** Steps that were chosen among others: the interleaving points. */
  points: number;
  /** How often the running session changed. */
  switches: number;
  calls: number;
  now: number;
  /** What the table did besides answering. */
  weather: ReadonlyMap<string, number>;
}

interface Step {
  session: number;
  /** False if it can wait as long as another session can run. */
  ready?: () => boolean;
  take: () => void | Promise<void>;
}

/** The running session and operation. */
interface At {
  session: number;
  op: number;
}

const tableName = 'prove';

/** Runs a plan: every call of every session waits until it is chosen. */
export const runPlan = async (plan: Plan, stage: Stage): Promise<Outcome> => new Run(plan, stage).toEnd();

class Run {
  readonly #plan: Plan;
  readonly #stage: Stage;
  readonly #execute: Backend['execute'];
  readonly #history: HistoryEvent[] = [];
  readonly #waiting: Step[] = [];
  readonly #at = new AsyncLocalStorage<At>();
  readonly #crashed = new Set<number>();
  readonly #known: Known = { checkouts: [], bookings: [], blocks: [] };
  readonly #deps: Dependencies;
  /** The operation of each request, and what a repeated one was resolved to. */
  readonly #resolved = new Map<Asking, ReturnType<typeof requestOf>>();
  #now = start;
  #calls = 0;
  #ops = 0;
  #points = 0;
  #switches = 0;

  constructor(plan: Plan, stage: Stage) {
    this.#plan = plan;
    this.#stage = stage;
    this.#execute =
      stage.tamper?.((command) => stage.backend.execute(command)) ??
      ((command) => stage.backend.execute(command));
    const client = senderOf((command: Command) => this.#call(command));
    this.#deps = {
      table: new Table({ client, tableName, check: checkSome() }),
      clock: { now: () => this.#now },
      log: silentLog,
      payments: () => noGateway,
      sealing: testSealing,
      identity: () => {
        throw new Error('no identity provider takes part in a schedule');
      },
    };
  }

  async toEnd(): Promise<Outcome> {
    const random = seeded(1);
    const virtual = { random, pause: () => this.#point() };
    runVirtual(virtual, () => {
      this.#plan.sessions.forEach((session, index) => void this.#play(session, index));
      void this.#turnClock(this.#plan.clock, this.#plan.sessions.length);
    });
    let last = -1;
    for (let position = 0; ;) {
      await this.#settled();
      if (this.#waiting.length === 0) break;
      const ready = this.#waiting.filter((step) => step.ready?.() ?? true);
      const candidates = ready.length > 0 ? ready : this.#waiting;
      if (candidates.length > 1) this.#points++;
      const choice = candidates.length > 1 ? (this.#plan.choices[position++] ?? 0) : 0;
      const step = candidates[choice % candidates.length];
      if (!step) break;
      this.#waiting.splice(this.#waiting.indexOf(step), 1);
      if (step.session !== last) this.#switches++;
      last = step.session;
      await step.take();
    }
    const view = viewOf(await this.#stage.itemsAtRest(), this.#now);
    this.#history.push({ type: 'rest', view });
    return {
      history: this.#history,
      points: this.#points,
      switches: this.#switches,
      calls: this.#calls,
      now: this.#now,
      weather: this.#stage.counts?.() ?? new Map(),
    };
  }

  /** Waits until the schedule selects this session; forever after a crash. */
  #point(session = this.#at.getStore()?.session ?? 0, ready?: () => boolean): Promise<void> {
    if (this.#crashed.has(session)) return new Promise(() => undefined);
    return new Promise((resolve) => {
      const take = () => (this.#crashed.has(session) ? undefined : resolve());
      this.#wait({ session, take, ...(ready ? { ready } : {}) });
    });
  }

  /** In the order of sessions, so that a plan without choices runs sequentially. */
  #wait(step: Step): void {
    const before = this.#waiting.findIndex(({ session }) => session > step.session);
    this.#waiting.splice(before === -1 ? this.#waiting.length : before, 0, step);
  }

  async #play({ who, requests }: Session, session: number): Promise<void> {
    for (const asking of requests) {
      await this.#point(session);
      const resolved = this.#resolve(asking, who);
      if (!resolved) continue;
      const op = this.#ops++;
      this.#history.push({ type: 'begin', op, intent: resolved.intent });
      const raw = await this.#at.run({ session, op }, () => send(this.#deps, who, resolved.request));
      if (this.#crashed.has(session)) return;
      this.#history.push({ type: 'end', op, answer: answered(raw) });
      this.#learn(resolved.intent, raw, who);
    }
  }

  #resolve(asking: Asking, who: Who): ReturnType<typeof requestOf> | undefined {
    if (asking.repeats === undefined) return this.#pinned(asking, asking.wish, who);
    const own = this.#plan.sessions.filter((session) => session.who === who);
    const originals = own.flatMap(({ requests }) => requests.filter(({ repeats }) => repeats === undefined));
    const original = originals[asking.repeats % Math.max(1, originals.length)];
    return original?.wish && this.#pinned(original, original.wish, who, true);
  }

  #pinned(asking: Asking, wish: Wish, who: Who, force = false): ReturnType<typeof requestOf> {
    const known = this.#resolved.get(asking);
    if (known) return known;
    const all = this.#plan.sessions.flatMap(({ requests }) => requests);
    const isRepeated = force || asking.keyed;
    const key = isRepeated && keyed.has(wish.verb) ? `key-${all.indexOf(asking)}` : undefined;
    const resolved = requestOf(wish, who, this.#known, key);
    this.#resolved.set(asking, resolved);
    return resolved;
  }

  #learn(intent: Intent, { status, body }: RawAnswer, who: Who): void {
    if (status >= 300) return;
    const json = JSON.parse(body) as Record<string, unknown>;
    const { checkouts, bookings, blocks } = this.#known;
    if (intent.verb === 'hold') checkouts.push({ id: Number(json['checkout_id']), who });
    if (intent.verb === 'block') blocks.push({ id: Number(json['id']), home: Number(json['listing_id']) });
    if (intent.verb === 'book') bookings.push({ id: Number(json['id']), who });
    if (intent.verb === 'confirm' || intent.verb === 'confirmHeld') {
      const reservations = json['reservations'] as { id: number }[];
      bookings.push({ id: Number(json['master_reservation_id']), who });
      bookings.push(...reservations.map(({ id }) => ({ id, who })));
    }
  }

  async #turnClock(moves: readonly ClockMove[], session: number): Promise<void> {
    for (const move of moves) {
      await this.#point(session, 'toExpiry' in move ? () => this.#soonestExpiry() > this.#now : undefined);
      if ('sweep' in move) this.#stage.sweep?.(this.#now);
      else if ('by' in move) this.#now += move.by;
      else this.#now = Math.max(this.#now, this.#soonestExpiry() + move.toExpiry);
      this.#history.push({ type: 'clock', now: this.#now });
    }
  }

  #soonestExpiry(): number {
    const ends = this.#history.flatMap((event) => (event.type === 'commit' ? (event.names.until ?? []) : []));
    const ahead = ends.filter((end) => end > this.#now);
    return ahead.length > 0 ? Math.min(...ahead) : this.#now;
  }

  /** A table call of the running session: it waits for its turn and may meet a fault. */
  async #call(command: Command): Promise<object> {
    const at = this.#at.getStore() ?? { session: 0, op: -1 };
    await this.#point(at.session);
    const kind = this.#faultOf(this.#calls++);
    if (isWrite(command) && this.#stillHeld.delete(at.op)) throw conflict(command);
    if (kind === undefined) return withSdkRetries(() => this.#applyInWeather(command, at.op));
    this.#history.push({ type: 'fault', op: at.op, kind });
    return this.#faulty(command, kind, at);
  }

  readonly #stillHeld = new Set<number>();

  #faultOf(call: number): FaultKind | undefined {
    return this.#plan.faults.find((fault) => fault.call === call)?.kind;
  }

  async #faulty(command: Command, kind: FaultKind, at: At): Promise<object> {
    switch (kind) {
      case 'lost reply, SDK retries':
        await this.#apply(command, at.op).catch(() => undefined);
        await this.#point(at.session);
        return this.#apply(command, at.op);
      case 'lost reply, SDK gives up':
        await this.#apply(command, at.op).catch(() => undefined);
        throw timeout();
      case 'request lost':
        throw timeout();
      case 'request arrives late':
        this.#wait({
          session: this.#plan.sessions.length,
          take: () => this.#apply(command, at.op).then(nothing, nothing),
        });
        throw timeout();
      case 'transaction conflict':
        // The retried write fails too, so that the verb has to read again.
        this.#stillHeld.add(at.op);
        throw conflict(command);
      case 'throttled':
        throw throttled();
      case 'crash before the call':
        return this.#crash(at);
      case 'crash after the call':
        await this.#apply(command, at.op).catch(() => undefined);
        return this.#crash(at);
      case 'torn or partial read':
        return command instanceof BatchGetCommand ? this.#torn(command, at) : this.#apply(command, at.op);
    }
  }

  #crash({ session, op }: At): Promise<never> {
    this.#crashed.add(session);
    this.#history.push({ type: 'crash', op });
    return new Promise(() => undefined);
  }

  /** BatchGetItem returns a part; other sessions write before the rest is requested. */
  async #torn(command: BatchGetCommand, { op }: At): Promise<object> {
    const keys = command.input.RequestItems?.[tableName]?.Keys ?? [];
    const half = Math.ceil(keys.length / 2);
    const part = new BatchGetCommand({
      RequestItems: { [tableName]: { Keys: keys.slice(0, half), ConsistentRead: true } },
    });
    const reply = await this.#apply(part, op);
    const { UnprocessedKeys } = reply as { UnprocessedKeys?: Record<string, { Keys: object[] }> };
    const rest = [...(UnprocessedKeys?.[tableName]?.Keys ?? []), ...keys.slice(half)];
    return rest.length === 0 ? reply : { ...reply, UnprocessedKeys: { [tableName]: { Keys: rest } } };
  }

  readonly #throttlings = new Map<number, number>();

  /** Executes a command; a request that the table throttles again and again has met a fault. */
  async #applyInWeather(command: Command, op: number): Promise<object> {
    try {
      const reply = await this.#apply(command, op);
      if (Object.keys((reply as { UnprocessedKeys?: object }).UnprocessedKeys ?? {}).length > 0)
        this.#noteThrottling(op);
      return reply;
    } catch (error) {
      if (isThrottling(error)) this.#noteThrottling(op);
      throw error;
    }
  }

  #noteThrottling(op: number): void {
    const times = (this.#throttlings.get(op) ?? 0) + 1;
    this.#throttlings.set(op, times);
    if (times === patience) this.#history.push({ type: 'fault', op, kind: 'throttled' });
  }

  /** Executes a command and records a committed transaction at this moment. */
  async #apply(command: Command, op: number): Promise<object> {
    const before = this.#effectsBefore(command);
    const reply = await this.#underWay(this.#execute(command));
    this.#tokens.add(tokenOf(command));
    if (command instanceof TransactWriteCommand && this.#effectsBefore(command) !== before)
      this.#noteCommit(command, op);
    return reply;
  }

  readonly #calling = new Set<Promise<unknown>>();

  #underWay(reply: Promise<object>): Promise<object> {
    const done = reply.then(nothing, nothing).finally(() => this.#calling.delete(done));
    this.#calling.add(done);
    return reply;
  }

  /** Resolves when only the schedule is waited for. */
  async #settled(): Promise<void> {
    await endOfTurn();
    while (this.#calling.size > 0) {
      await Promise.all(this.#calling);
      await endOfTurn();
    }
  }

  #effectsBefore(command: Command): number {
    return this.#stage.effects?.() ?? (this.#tokens.has(tokenOf(command)) ? 1 : 0);
  }

  readonly #tokens = new Set<string>();

  #noteCommit({ input: { TransactItems = [] } }: TransactWriteCommand, op: number): void {
    const puts = TransactItems.flatMap(({ Put }) => (Put?.Item ? [Put.Item as Item] : []));
    const view = this.#stage.items && viewOf(this.#stage.items(), this.#now);
    this.#history.push({ type: 'commit', op, names: namesOf(puts), ...(view ? { view } : {}) });
  }
}

/** Every record is checked after the schedule, by the audit; during it some are. */
const checkSome = (): RecordCheck => {
  let reads = 0;
  return (...read) => {
    if (reads++ % 8 === 0) checkEveryRecord(...read);
  };
};

const tokenOf = (command: Command): string =>
  command instanceof TransactWriteCommand ? (command.input.ClientRequestToken ?? '') : '';

const keyed = new Set<Wish['verb']>([
  'hold',
  'confirm',
  'confirmHeld',
  'extend',
  'cancel',
  'cancelExternal',
  'book',
  'block',
]);

interface NamedItem {
  reservation_id: number;
  availability_id: number;
  listing_id: number;
  start_at: string;
  end_at: string;
}

const placeOfItem = ({ listing_id, start_at, end_at }: NamedItem): string =>
  placeOf({ home: homeOf(listing_id), ...hourSpan({ from: start_at, to: end_at }) });

const namesOf = (puts: readonly Item[]): Names => {
  const order = puts.find((item) => item['entity'] === 'Order' && item['state'] !== 'RELEASED');
  const items = (order?.['items'] ?? []) as NamedItem[];
  const entry = puts.find((item) => item['entity'] === 'AvailabilityEntry');
  const availabilities = order
    ? items.map(({ availability_id }) => availability_id)
    : [entry ? Number(entry['availability_id']) : []].flat();
  return {
    ...(order ? { order: Number(order['order_id']), places: items.map(placeOfItem) } : {}),
    reservations: items.map(({ reservation_id }) => reservation_id),
    availabilities,
    ...(order?.['state'] === 'HELD' ? { until: Number(order['locked_until']) } : {}),
  };
};

const answered = ({ status, headers, body }: RawAnswer): Answered => {
  const json = body.startsWith('{') ? (JSON.parse(body) as { code?: string }) : {};
  return {
    status,
    body,
    replayed: headers['Idempotent-Replayed'] === 'true',
    ...(status >= 400 && json.code !== undefined ? { code: json.code } : {}),
  };
};

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const nothing = (): void => undefined;

const timeout = (): Error => Object.assign(new Error('the connection timed out'), { name: 'TimeoutError' });

/** How often a request is throttled before it may be answered 503. */
const patience = 4;

const isThrottling = (error: unknown): boolean =>
  error instanceof ThrottlingException ||
  error instanceof ProvisionedThroughputExceededException ||
  (error instanceof TransactionCanceledException &&
    error.CancellationReasons?.some(({ Code }) => Code === 'ThrottlingError') === true);

const throttled = (): Error =>
  new ProvisionedThroughputExceededException({ $metadata: {}, message: 'throttled' });

const isWrite = (command: Command): boolean =>
  command instanceof PutCommand || command instanceof TransactWriteCommand;

const conflict = (command: Command): Error => {
  if (command instanceof PutCommand)
    return new TransactionConflictException({
      $metadata: {},
      message: 'Transaction is ongoing for the item',
    });
  if (!(command instanceof TransactWriteCommand)) return throttled();
  const { TransactItems = [] } = command.input;
  return new TransactionCanceledException({
    $metadata: {},
    message: 'Transaction cancelled',
    CancellationReasons: TransactItems.map((_, at) => ({ Code: at === 0 ? 'TransactionConflict' : 'None' })),
  });
};
