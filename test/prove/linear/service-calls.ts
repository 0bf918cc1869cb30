import type { Answers, Request } from '../service/client.ts';
import type { Asked } from './calendar.ts';
import type { Place, Stay } from './calendar-stays.ts';
import type { Call } from './linearize.ts';
import type { Family } from './problems.ts';
import {
  type Asks,
  asksOf,
  isMove,
  jsonOf,
  nowHour,
  orderOf,
  softLockMs,
  untilOf,
  windows,
} from './service-asks.ts';
import { BulkBlocks } from './service-bulk.ts';
import { changeAsked, homeNamed, isChange } from './service-changes.ts';
import { familyNames, type KnownHome } from './service-homes.ts';
import { blockPlace, idIn, type Item, itemsOf, placeOf } from './service-items.ts';
import { nightsRead } from './service-reads.ts';

/** Returns what the clients of the service have seen of the calendar of each family of homes, and nothing else. */
export const serviceFamilies = ({ sent }: Pick<Answers, 'sent'>, homes: readonly KnownHome[]): Family[] => {
  const asks = asksOf(sent);
  const meaning = new Meaning(asks, homes);
  const calls = asks.flatMap((one) => meaning.callsOf(one));
  return [...new Set(meaning.names.values())].map((name) => ({
    name,
    parents: Object.fromEntries(
      homes
        .filter(({ id }) => meaning.names.get(id) === name)
        .map(({ id, parent }) => [id, parent === null ? null : String(parent)]),
    ),
    calls: calls.filter(({ family }) => family === name).map(({ call }) => call),
  }));
};

interface Placed {
  family: string;
  call: Call<Asked>;
}

/** What the requests of one history mean. */
class Meaning {
  /** The family of each home; those that a lock connects are one. */
  readonly names: ReadonlyMap<number, string>;
  readonly #homes: ReadonlyMap<number, KnownHome>;
  readonly #held = new Map<number, readonly Item[]>();
  /** The homes of each order, stay and block that has an id. */
  readonly #homesOf = new Map<number, readonly number[]>();
  readonly #movedTo = new Map<number, readonly number[]>();
  /** When the service may free the stays that an answer has named. */
  readonly #named = new Map<number, number>();
  readonly #bulks: BulkBlocks;
  readonly #moves: Asks[];
  /** The most hours of preparation that a host has asked for at each home. */
  readonly #preparation = new Map<number, number>();
  #unnamed = 0;

  constructor(asks: readonly Asks[], homes: readonly KnownHome[]) {
    this.#homes = new Map(homes.map((home) => [home.id, home]));
    this.#moves = asks.filter(({ request }) => isMove(request.request));
    this.#bulks = new BulkBlocks(asks, this.#isHourly);
    for (const one of asks) this.#note(one);
    for (const { request } of asks) this.#notePreparation(request.request);
    const held = [...this.#held.values()].map((items) => items.map(({ listing_id }) => listing_id));
    this.names = familyNames(homes, held);
  }

  readonly #isHourly = (home: number): boolean => this.#homes.get(home)?.isHourly === true;

  get #known(): Parameters<typeof changeAsked>[1] {
    return {
      names: this.names,
      homesOf: this.#everyHomeOf,
      isNamed: (id) => this.#named.has(id),
      lose: (id) => void this.#named.delete(id),
      looseFrom: (id) => this.#named.get(id) ?? -Infinity,
      prepared: this.#prepared,
      isShared: (places) => this.#isShared(places),
    };
  }

  callsOf(one: Asks): Placed[] {
    const { name, begin, end } = one;
    if (['bulkBlocks', 'undoBulk'].includes(one.request.request.verb)) return this.#bulkCallsOf(one);
    return this.#askedOf(one).map(({ family, asked }) => ({ family, call: { name, begin, end, asked } }));
  }

  #bulkCallsOf(one: Asks): Placed[] {
    const isShared = (home: number): boolean => this.#isShared([{ home: String(home), from: 0, to: 0 }]);
    return this.#bulks.callsOf(one, isShared).flatMap(({ home, call }) => {
      const family = this.names.get(home);
      return family === undefined ? [] : [{ family, call }];
    });
  }

  #note(one: Asks): void {
    const { request } = one.request;
    const { id, checkout_id, master_reservation_id, reservations = [] } = jsonOf(one);
    const items = itemsOf(request);
    if (one.answer && one.answer.status >= 300) return;
    const named = homeNamed(one);
    if (named !== undefined) this.#noteHome(idIn(request.path, 'bookings'), named);
    if (!one.answer) return;
    if (checkout_id !== undefined && items) this.#held.set(checkout_id, items);
    const blocked = request.verb === 'blockTime' ? [idIn(request.path, 'listings')] : [];
    const homes = items?.map(({ listing_id }) => listing_id) ?? blocked;
    const all = homes.length > 0 ? homes : reservations.map(({ listing_id }) => listing_id);
    // The first answer names every stay of an order; a later one, to its host, may name a single stay.
    for (const order of [checkout_id, master_reservation_id, id])
      if (order !== undefined && all.length > 0 && !this.#homesOf.has(order)) this.#homesOf.set(order, all);
    for (const stay of reservations) this.#noteHome(stay.id, stay.listing_id);
  }

  #noteHome(stay: number, home: number): void {
    const homes = this.#homesOf.get(stay);
    if (!homes) this.#homesOf.set(stay, [home]);
    else if (!homes.includes(home)) this.#movedTo.set(orderOf(stay), [...this.#later(stay), home]);
  }

  /** The homes that stays of the order have been moved to. */
  #later(id: number): readonly number[] {
    return this.#movedTo.get(orderOf(id)) ?? [];
  }

  /** Every home at which the stay, or a stay of the order, may have been. */
  #everyHomeOf = (id: number): readonly number[] => [...(this.#homesOf.get(id) ?? []), ...this.#later(id)];

  #notePreparation({ verb, path, body }: Request): void {
    const { preparation_hours: hours } = (body ?? {}) as { preparation_hours?: number };
    if (verb !== 'updateListing' || hours === undefined) return;
    const home = idIn(path, 'listings');
    this.#preparation.set(home, Math.max(hours, this.#preparation.get(home) ?? 0));
  }

  #prepared = (place: Place): Place => {
    const hours = this.#preparation.get(Number(place.home));
    return hours === undefined ? place : { ...place, perhapsTo: place.to + hours };
  };

  #askedOf(one: Asks): { family: string; asked: Asked }[] {
    const { since, by, answer } = one;
    const { who, request } = one.request;
    const waited = { who: who.name, since, by };
    const isDone = answer === undefined || answer.status < 300;
    const of = (homes: readonly number[], asked: Asked) =>
      [...new Set(homes.flatMap((id) => this.names.get(id) ?? []))].map((family) => ({ family, asked }));
    const freed = (id: number, did: 'free' | 'loosen') =>
      isDone ? of(this.#everyHomeOf(id), { ...waited, did, id }) : [];
    const { verb, path } = request;
    if (isChange(verb)) return changeAsked(one, this.#known);
    switch (verb) {
      case 'createCheckout':
      case 'confirmCheckout':
      case 'bookForGuest':
      case 'createExternalBooking':
        if (isDone || answer.status === 402) return this.#taking(one);
        return answer.code === 'LISTING_NOT_AVAILABLE' ? this.#refused(one) : [];
      case 'blockTime':
        if (isDone) return this.#taking(one);
        return answer.code === 'LISTING_NOT_AVAILABLE' ? this.#refused(one) : [];
      case 'cancelBooking':
      case 'cancelExternalBooking':
      case 'declineBooking': {
        const id = idIn(path, 'bookings');
        // Of an order of several stays, some may be past cancelling.
        return freed(id, (this.#homesOf.get(id)?.length ?? 0) > 1 ? 'loosen' : 'free');
      }
      case 'checkOutBooking':
      case 'markNoShow':
        return freed(idIn(path, 'bookings'), 'loosen');
      case 'releaseCheckout':
        return freed(idIn(path, 'checkout'), 'free');
      case 'unblockTime':
        return freed(idIn(path, 'blocks'), 'free');
      case 'extendCheckout': {
        const id = idIn(path, 'checkout');
        const byMs = [answer ? softLockMs : 0, softLockMs] as const;
        return isDone ? of(this.#homesOf.get(id) ?? [], { ...waited, did: 'extend', id, byMs }) : [];
      }
      case 'updateListing': {
        const { parent_listing_id: parent } = request.body as { parent_listing_id?: number | null };
        if (parent === undefined || !isDone) return [];
        const home = idIn(path, 'listings');
        const house = parent === null ? null : String(parent);
        return of([home], { ...waited, did: 'move', home: String(home), parent: house });
      }
      default:
        return answer?.status === 200 ? this.#reading(one) : [];
    }
  }

  #taking(one: Asks): { family: string; asked: Asked }[] {
    const { since, answer } = one;
    const { who, request } = one.request;
    // Repeated with the partner's own number of the booking.
    if (request.verb === 'createExternalBooking' && answer?.status === 200) return [];
    const places = this.#placesOf(one);
    const until = request.verb === 'createCheckout' ? untilOf(one) : null;
    const looseFrom = until ? Infinity : this.#looseFrom(one);
    // Declined: the time was taken, and is free again.
    const gone = answer?.status === 402 ? { goneAt: one.by } : {};
    const ids = this.#idsOf(one, places);
    const stays = places.map((place, at): Stay => {
      const isBlock = request.verb === 'blockTime';
      return { ...place, ids: ids[at] ?? [], who: who.name, until, looseFrom, isBlock, ...gone };
    });
    if (answer) for (const id of ids.flat()) this.#named.set(id, looseFrom);
    const { checkout_id: consumed } = (request.body ?? {}) as { checkout_id?: number };
    const waited = { who: who.name, since, by: answer ? one.by : Infinity };
    // A stay of tonight begins now, if that is after its hour.
    const isTonight = places.some(({ from }) => from <= nowHour(one));
    return this.#inFamilies(stays).map(({ family, some }) => ({
      family,
      asked: isTonight
        ? { ...waited, did: 'take a part', stays: some.map((stay) => ({ ...stay, looseFrom: -Infinity })) }
        : { ...waited, did: 'take', stays: some, ...(consumed === undefined ? {} : { consumed }) },
    }));
  }

  #inFamilies<Of extends Place>(places: readonly Of[]): { family: string; some: Of[] }[] {
    const known = places.filter(({ home }) => this.names.has(Number(home)));
    return [...Map.groupBy(known, ({ home }) => this.names.get(Number(home)) ?? '')].map(
      ([family, some]) => ({ family, some }),
    );
  }

  #placesOf({ request: { request } }: Asks): Place[] {
    const { checkout_id } = (request.body ?? {}) as { checkout_id?: number };
    const items = itemsOf(request) ?? this.#held.get(checkout_id ?? 0);
    if (items) return items.map(placeOf).map(this.#prepared);
    return request.verb === 'blockTime' ? [blockPlace(request, this.#isHourly)] : [];
  }

  /** When the service may free the time by itself: unpaid, not accepted, or when the money cannot be had. */
  #looseFrom(one: Asks): number {
    const { since, answer } = one;
    const { request } = one.request;
    if (!answer || answer.status === 402) return -Infinity;
    if (request.verb === 'blockTime') return Infinity;
    const { payment_method: method, payment_gateway_token: token } = request.body as Record<string, unknown>;
    const isAccepted = this.#placesOf(one).some(({ home }) => this.#homes.get(Number(home))?.isAccepted);
    if (token !== undefined) return isAccepted ? -Infinity : Infinity;
    const byMethod: Record<string, number> = {
      ONLINE_GATEWAY: windows.page,
      BANK_TRANSFER: windows.transfer,
    };
    return since + Math.min(byMethod[String(method)] ?? Infinity, isAccepted ? windows.acceptance : Infinity);
  }

  /** The ids of each item: of its order, and its own. Those of a request without an answer are unknown. */
  #idsOf(one: Asks, places: readonly Place[]): number[][] {
    const { checkout_id, id, master_reservation_id, reservations = [] } = jsonOf(one);
    const order = checkout_id ?? master_reservation_id ?? id ?? --this.#unnamed;
    return places.map(({ home, from }) => {
      const sameHome = places.filter((place) => place.home === home).sort((a, b) => a.from - b.from);
      const booked = reservations
        .filter(({ listing_id }) => String(listing_id) === home)
        .sort((a, b) => (a.check_in_date < b.check_in_date ? -1 : 1));
      const own = booked[sameHome.findIndex((place) => place.from === from)]?.id;
      return [...new Set([order, own ?? id ?? order])];
    });
  }

  /** A refusal of homes of several families does not say which of them is taken; nor do platforms say what they took. */
  #refused(one: Asks): { family: string; asked: Asked }[] {
    const { since, by } = one;
    const { who, request } = one.request;
    const families = this.#inFamilies(this.#placesOf(one));
    const [only] = families;
    const { checkout_id } = (request.body ?? {}) as { checkout_id?: number };
    if (!only || families.length > 1 || checkout_id !== undefined || this.#isShared(only.some)) return [];
    const asked: Asked = { who: who.name, since, by, did: 'find taken', places: only.some };
    return [{ family: only.family, asked }];
  }

  #isShared(places: readonly Place[]): boolean {
    return places.some(({ home }) => this.#homes.get(Number(home))?.isShared);
  }

  #reading(one: Asks): { family: string; asked: Asked }[] {
    // A read that begins before its home changes its house may read the earlier calendar.
    if (this.#moves.some(({ begin, end }) => begin < one.end && end > one.begin)) return [];
    const { since, by } = one;
    const { who, request } = one.request;
    const { nights, sparesOwn } = nightsRead(request, one.answer?.json, nowHour(one));
    const waited = { who: who.name, since, by, did: 'read nights' as const };
    return this.#inFamilies(nights).flatMap(({ family, some }) => {
      const known = this.#isShared(some) ? some.filter(({ isFree }) => isFree) : some;
      return known.length === 0
        ? []
        : [{ family, asked: { ...waited, nights: known, ...(sparesOwn ? { sparesOwn } : {}) } }];
    });
  }
}
