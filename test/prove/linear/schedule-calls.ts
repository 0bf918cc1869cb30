import type { Answered, HistoryEvent, Intent, Wanted } from '../schedule/history.ts';
import { homeOf, hourSpan, hourText, softLockMs, start } from '../schedule/scene.ts';
import type { Asked } from './calendar.ts';
import type { Stay } from './calendar-stays.ts';
import type { Call } from './linearize.ts';
import type { Family } from './problems.ts';
import { type Asking, joinTwins, weightOf } from './twins.ts';

type Request = Asking<Intent, Answered>;

type FamilyName = 'house' | 'lone';

interface FamilyAsked {
  family: FamilyName;
  asked: Asked;
}

const familyOf = (home: string): FamilyName => (home === 'lone' ? 'lone' : 'house');

const familiesOf = (homes: readonly { home: string }[], of = familyOf): FamilyName[] => [
  ...new Set(homes.map(({ home }) => of(home))),
];

/**
 * Returns what the clients of a schedule have seen of each family of homes, and nothing else. An order of homes of both families
 * connects them: replacing its lock in one frees its homes in the other.
 */
export const scheduleFamilies = (history: readonly HistoryEvent[]): Family[] => {
  const requests = requestsOf(history);
  const areConnected = requests.some(({ request }) => familiesOf(request.items).length > 1);
  const meaning = new Meaning(requests, areConnected ? () => 'house' : familyOf);
  const calls = requests.flatMap((request) => meaning.callsOf(request));
  const of = (family: FamilyName): Call<Asked>[] =>
    calls.filter((call) => call.family === family).map(({ call }) => call);
  const house = {
    parents: { one: 'parent', two: 'parent', three: 'parent', moved: null },
    calls: of('house'),
  };
  if (areConnected) return [{ name: 'all homes', ...house }];
  return [
    { name: 'the house', ...house },
    { name: 'the lone home', parents: {}, calls: of('lone') },
  ];
};

const requestsOf = (history: readonly HistoryEvent[]): Request[] => {
  const askings = new Map<number, Request>();
  let clock = start;
  history.forEach((event, at) => {
    if (event.type === 'clock') clock = event.now;
    if (event.type === 'begin') {
      const { op, intent } = event;
      const open = { begin: at, since: clock, end: Infinity, by: Infinity, answer: undefined };
      askings.set(op, {
        name: `${intent.who}#${op} ${intent.verb}`,
        twinOf: undefined,
        request: intent,
        ...open,
      });
    }
    const asking = event.type === 'end' ? askings.get(event.op) : undefined;
    if (event.type === 'end' && asking) Object.assign(asking, { end: at, by: clock, answer: event.answer });
  });
  const all = [...askings.values()].map((asking) => ({ ...asking, twinOf: twinOf(asking) }));
  return joinTwins(all, ({ status }) => weightOf(status)).map((request) =>
    request.answer && weightOf(request.answer.status) === 'unknown'
      ? { ...request, answer: undefined, end: Infinity, by: Infinity }
      : request,
  );
};

/** A key is one request. A booking under a partner's id is made once, with or without a key; refusing it is not final. */
const twinOf = ({ request, answer }: Request): string | undefined => {
  const { who, key, external, content } = request;
  if (external !== undefined && answer?.status !== 409) return `${who} makes ${external} ${content}`;
  return key === undefined ? undefined : `${who} ${key} ${content}`;
};

interface Confirmed {
  checkout_id?: number;
  locked_until?: string;
  id?: number;
  master_reservation_id?: number;
  reservations?: { id: number; listing_id: number; check_in_date: string }[];
}

/** What the requests of one schedule mean. */
class Meaning {
  readonly #requests: readonly Request[];
  readonly #familyOf: typeof familyOf;
  /** The homes and hours of each checkout that a client knows. */
  readonly #held = new Map<number, readonly Wanted[]>();
  readonly #ambiguous = new Set<number>();
  #unnamed = 0;

  constructor(requests: readonly Request[], of: typeof familyOf) {
    this.#requests = requests;
    this.#familyOf = of;
    for (const { request, answer } of requests) {
      if (answer === undefined || answer.status >= 300) continue;
      const { checkout_id } = bodyOf(answer);
      if (request.verb === 'hold' && checkout_id !== undefined) this.#held.set(checkout_id, request.items);
    }
  }

  callsOf(request: Request): { family: FamilyName; call: Call<Asked> }[] {
    const { name, begin, end } = request;
    return this.#askedOf(request).map(({ family, asked }) => ({
      family,
      call: { name, begin, end, asked },
    }));
  }

  #askedOf(request: Request): FamilyAsked[] {
    const { since, by, answer } = request;
    const { who, verb, items, target, change } = request.request;
    const waited = { who, since, by };
    const inEach = (homes: readonly { home: string }[], asked: Asked): FamilyAsked[] =>
      familiesOf(homes, this.#familyOf).map((family) => ({ family, asked }));
    const isDone = answer === undefined || answer.status < 300;
    switch (verb) {
      case 'hold':
      case 'confirm':
      case 'block':
      case 'book':
        if (isDone) return this.#taking(request, items);
        return answer.code === 'LISTING_NOT_AVAILABLE' ? this.#refused(request) : [];
      case 'confirmHeld':
        return isDone ? this.#taking(request, this.#held.get(target ?? 0) ?? []) : [];
      case 'cancel':
      case 'cancelExternal':
      case 'release':
      case 'unblock':
        return isDone
          ? inEach([{ home: 'parent' }, { home: 'lone' }], { ...waited, ...this.#freeing(target) })
          : [];
      case 'extend': {
        if (!isDone) return [];
        const asked: Asked = {
          ...waited,
          did: 'extend',
          id: target ?? 0,
          byMs: [answer ? softLockMs : 0, softLockMs],
        };
        return inEach(this.#held.get(target ?? 0) ?? [], asked);
      }
      case 'edit':
        if (!isDone || change === 'pause' || change === 'publish') return [];
        if (change === 'archive')
          return [{ family: 'house', asked: { ...waited, did: 'drop locks', home: 'moved' } }];
        return [
          {
            family: 'house',
            asked: { ...waited, did: 'move', home: 'moved', parent: change === 'attach' ? 'parent' : null },
          },
        ];
      case 'hours':
        return answer?.status === 200 && !this.#meetsMove(request) ? this.#reading(request, answer) : [];
    }
  }

  #freeing(id = 0): { did: 'free' | 'loosen'; id: number } {
    return { did: this.#ambiguous.has(id) ? 'loosen' : 'free', id };
  }

  /** A read that begins before its home changes its parent may read the earlier calendar. */
  #meetsMove({ begin, end }: Request): boolean {
    return this.#requests.some(
      ({ request, ...other }) =>
        (request.change === 'attach' || request.change === 'detach') &&
        other.begin < end &&
        other.end > begin,
    );
  }

  #taking(request: Request, items: readonly Wanted[]): FamilyAsked[] {
    const { since, by, answer } = request;
    const { who, verb, target } = request.request;
    const until = verb === 'hold' ? untilOf(request) : null;
    const ids = this.#idsOf(request, items);
    const stays: Stay[] = items.map((item, at) => ({
      ...item,
      ids: ids[at] ?? [],
      who,
      until,
      looseFrom: Infinity,
    }));
    const consumed = verb === 'confirmHeld' && target !== undefined ? { consumed: target } : {};
    return [...Map.groupBy(stays, ({ home }) => this.#familyOf(home))].map(([family, some]) => ({
      family,
      asked: { who, since, by: answer ? by : Infinity, did: 'take', stays: some, ...consumed },
    }));
  }

  /**
   * The ids of each item: of its order, and its own. Those of a request without an answer are unknown, and of two stays in one home
   * from one day on it is unknown which is which.
   */
  #idsOf({ request, answer }: Request, items: readonly Wanted[]): number[][] {
    const { checkout_id, id, master_reservation_id, reservations = [] } = answer ? bodyOf(answer) : {};
    const order = checkout_id ?? master_reservation_id ?? id ?? (answer ? undefined : request.target);
    const first = order ?? --this.#unnamed;
    return items.map(({ home, from }) => {
      const booked = reservations.filter(
        (one) => homeOf(one.listing_id) === home && one.check_in_date.slice(5) === hourText(from).slice(0, 5),
      );
      const own = booked.map((one) => one.id);
      if (own.length > 1) for (const one of own) this.#ambiguous.add(one);
      return [...new Set([first, ...(own.length > 0 ? own : [id ?? first])])];
    });
  }

  /** A refusal of homes of both families does not say which of them is taken, unless they are connected. */
  #refused({ request, since, by }: Request): FamilyAsked[] {
    const families = familiesOf(request.items, this.#familyOf);
    if (families.length !== 1) return [];
    const asked: Asked = { who: request.who, since, by, did: 'find taken', places: request.items };
    return families.map((family) => ({ family, asked }));
  }

  #reading({ request, since, by }: Request, answer: Answered): FamilyAsked[] {
    const [place] = request.items;
    if (!place) return [];
    const hours = (JSON.parse(answer.body) as string[]).map((text) => {
      const at = `${text.slice(0, 13)}:00`;
      return hourSpan({ from: at, to: at }).from;
    });
    const asked: Asked = { who: request.who, since, by, did: 'read', place, taken: new Set(hours) };
    return [{ family: this.#familyOf(place.home), asked }];
  }
}

const bodyOf = ({ body }: Answered): Confirmed => JSON.parse(body) as Confirmed;

const untilOf = ({ answer, since }: Request): readonly [number, number] => {
  const told = answer && bodyOf(answer).locked_until;
  if (told === undefined) return [since + softLockMs, Infinity];
  return [Date.parse(told), Date.parse(told)];
};
