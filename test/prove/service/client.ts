import { routeGroups } from '../../../functions/routes.ts';
import type { Gateway } from '../../../infra/local/gateway/index.ts';
import type { Simulation } from './simulation.ts';
import type { Less } from './less.ts';
import type { Weather } from './weather.ts';

/** A credential of the API. */
export interface Credential {
  name: string;
  token?: string;
  key?: string;
  keyId?: number;
  team?: number;
  /** Of a partner's key. */
  teams?: readonly number[];
  /** The token of a guest's link, and the stay that it opens. */
  link?: string;
  stay?: number;
}

export interface Request {
  /** The verb, for coverage and history. */
  verb: string;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  query?: Record<string, string | number>;
  body?: object;
  /** Idempotency-Key. */
  key?: string;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
  json: unknown;
  /** Of an error. */
  code: string | undefined;
}

/** A request as its client saw it. */
export interface Sent {
  who: Credential;
  request: Request;
  /** Its place and that of its answer among all requests and answers. */
  begin: number;
  end: number;
  /** The time then, epoch milliseconds. */
  since: number;
  by: number;
  /** Absent without an answer; then it ends never. */
  reply: Reply | undefined;
}

/** The operations that repeat the first answer for an Idempotency-Key. */
export const repeatable = new Set(
  routeGroups.flatMap(({ routes }) =>
    Object.entries(routes).flatMap(([id, { idempotent }]) => (idempotent ? [id] : [])),
  ),
);

/** They change nothing. */
const readingPosts = new Set([
  'previewCheckout',
  'previewPrice',
  'previewChange',
  'previewExternalChange',
  'previewGuestChange',
]);

/** What a link does to its stay, as a guest with an account asks for it. */
const likeGuests: Readonly<Record<string, readonly [verb: string, path: string]>> = {
  changeGuestBooking: ['changeBooking', 'change'],
  cancelGuestBooking: ['cancelBooking', 'cancel'],
};

/** A request as it is judged: that of a link is one of the guest of its stay. */
export const meant = (sent: Sent): Sent => {
  const { who, request } = sent;
  const [verb, path] = likeGuests[request.verb] ?? [];
  return verb === undefined
    ? sent
    : { ...sent, request: { ...request, verb, path: `/api/v1/bookings/${who.stay}/${path}` } };
};

const isReplayed = ({ headers }: Reply): boolean => headers['idempotent-replayed'] === 'true';

/** What the API was asked, and what it answered. */
export class Answers {
  readonly counts = new Map<string, number>();
  reads = 0;
  writes = 0;
  /** The requests of each actor that took part while the world was hostile. */
  readonly byActor = new Map<string, number>();
  /** Writes that changed something: they were answered 2xx, and not from what was kept of an earlier answer. */
  effective = 0;
  readonly problems: string[] = [];
  /** Every request, in the order of their beginnings. */
  readonly sent: Sent[] = [];
  #moments = 0;
  /** The first answer of each request with a key that has to be repeated. */
  readonly kept = new Map<string, { request: Request; who: Credential; reply: Reply; at: number }>();

  begin(who: Credential, request: Request, since: number): Sent {
    const begun = { begin: this.#moments++, end: Infinity, since, by: Infinity, reply: undefined };
    const sent: Sent = { who, request, ...begun };
    this.sent.push(sent);
    return sent;
  }

  note(sent: Sent, reply: Reply | undefined, at: number): void {
    const { who, request } = sent;
    if (reply) Object.assign(sent, { end: this.#moments++, by: at, reply });
    const status = reply ? String(reply.status) : 'no answer';
    const code = reply && reply.status >= 400 ? ` ${reply.code ?? ''}` : '';
    this.count(`${request.verb} ${status}${code}`);
    const isRead = request.method === 'GET' || readingPosts.has(request.verb);
    if (isRead) this.reads++;
    else this.writes++;
    if (!isRead && reply && reply.status < 300 && !isReplayed(reply)) this.effective++;
    if (reply?.status === 429 && !(Number(reply.headers['retry-after']) > 0))
      this.problems.push(`${request.verb} was answered 429 without Retry-After`);
    if (reply && request.key !== undefined && repeatable.has(request.verb))
      this.#keep(who, { ...request, key: request.key }, reply, at);
  }

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  #keep(who: Credential, request: Request & { key: string }, reply: Reply, at: number): void {
    const name = `${who.name} ${request.key}`;
    const before = this.kept.get(name);
    const isDecision = reply.status < 300 || [402, 409, 410].includes(reply.status);
    if (!isDecision) return;
    if (!before) {
      this.kept.set(name, { request, who, reply, at });
      return;
    }
    if (before.reply.status === reply.status && before.reply.text === reply.text) return;
    this.problems.push(
      `${name} ${request.verb} was answered ${before.reply.status} and then ${reply.status}${isReplayed(reply) ? ' (replayed)' : ''}: ${before.reply.text} … ${reply.text}`,
    );
  }
}

const headersOf = ({ token, key, team, link }: Credential, request: Request): [string, string][] => [
  ...(request.body ? [['Content-Type', 'application/json'] as [string, string]] : []),
  ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as [string, string]]),
  ...(link === undefined ? [] : [['Authorization', `Guest ${link}`] as [string, string]]),
  ...(key === undefined ? [] : [['X-API-Key', key] as [string, string]]),
  ...(team === undefined ? [] : [['X-Team-ID', String(team)] as [string, string]]),
  ...(request.key === undefined ? [] : [['Idempotency-Key', request.key] as [string, string]]),
];

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

/** A caller of the API, over a network that loses requests and answers. */
export class Client {
  readonly #sim: Simulation;
  readonly #weather: Weather;
  readonly #gateway: Gateway;
  readonly #answers: Answers;
  readonly #less: Less;

  constructor(sim: Simulation, weather: Weather, gateway: Gateway, answers: Answers, less: Less = {}) {
    this.#sim = sim;
    this.#weather = weather;
    this.#gateway = gateway;
    this.#answers = answers;
    this.#less = less;
  }

  /** Sends one request; undefined without an answer. */
  async send(who: Credential, request: Request): Promise<Reply | undefined> {
    const sent = this.#answers.begin(who, request, this.#sim.now());
    await this.#sim.sleep(this.#sim.between(10, 60));
    const isLost = this.#weather.happens('a request of a client lost', 0.01);
    const reply = isLost ? undefined : await this.#dispatch(who, request);
    await this.#sim.sleep(this.#sim.between(10, 60));
    const heard = this.#weather.happens('an answer to a client lost', 0.02) ? undefined : reply;
    this.#answers.note(sent, heard, this.#sim.now());
    const end = heard ? `${heard.status} ${heard.status >= 400 ? (heard.code ?? '') : ''}` : 'no answer';
    this.#sim.note(`${who.name} ${request.verb} ${request.key ?? ''} ${bodyText(request)} -> ${end}`);
    return heard;
  }

  /** Sends a request, and again with the same key while there is no answer or one that says so. */
  async ask(who: Credential, request: Request, most = 4): Promise<Reply | undefined> {
    if (!this.#mayAsk(who)) return new Promise(() => undefined);
    for (let attempt = 1; ; attempt++) {
      const reply = await this.send(who, request);
      const isOver = reply !== undefined && reply.status < 500 && reply.status !== 429;
      const isRepeatable =
        request.key !== undefined || request.method === 'GET' || request.method === 'DELETE';
      if (isOver || attempt === most || !isRepeatable) return reply;
      const askedMs = Number(reply?.headers['retry-after'] ?? 0) * 1000;
      await this.#sim.sleep(askedMs + this.#sim.between(300, 4000) * 2 ** attempt);
    }
  }

  /** Counts the requests of an actor; one that is left out, or has made its requests, waits for ever. */
  #mayAsk({ name }: Credential): boolean {
    if (this.#weather.isCalm) return true;
    const { byActor } = this.#answers;
    const asked = byActor.get(name) ?? 0;
    if (this.#less.actors?.includes(name) || asked >= (this.#less.requests?.[name] ?? Infinity)) return false;
    byActor.set(name, asked + 1);
    return true;
  }

  async #dispatch(who: Credential, request: Request): Promise<Reply> {
    const query = new URLSearchParams(
      Object.entries(request.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const { status, headers, body } = await this.#sim.inside(() =>
      this.#gateway.dispatch({
        method: request.method,
        url: query.size > 0 ? `${request.path}?${query.toString()}` : request.path,
        headers: headersOf(who, request),
        body: Buffer.from(request.body ? JSON.stringify(request.body) : ''),
        sourceIp: '203.0.113.7',
      }),
    );
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const json = parsed(body);
    return {
      status,
      headers: Object.fromEntries(lower) as Record<string, string>,
      text: body,
      json,
      code: status >= 400 ? (json as { code?: string }).code : undefined,
    };
  }
}

const bodyText = ({ path, body }: Request): string =>
  `${path.replace('/api/v1/', '')}${body ? ` ${JSON.stringify(body).slice(0, 200)}` : ''}`;
