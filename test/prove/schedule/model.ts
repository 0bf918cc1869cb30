import { type HourSpan, type Intent, type Names, placeOf, type Wanted } from './history.ts';
import { type HomeName, isChild, softLockMs, start, type Who } from './scene.ts';

/** The specification of a calendar: a list of half-open intervals and their owners. */

export interface Stay extends Wanted {
  /** The order, or the block itself. */
  order: number;
  availability: number;
  kind: 'BOOKED' | 'BLOCKED' | 'SOFT_LOCK';
  /** Of a soft lock. */
  until: number | null;
  reservation: number | null;
}

interface Order {
  id: number;
  owner: Who;
  state: 'HELD' | 'BOOKED' | 'RELEASED';
  extended: boolean;
  /** Expired while a request that may have released it was running; the two cannot be distinguished from outside. */
  perhapsReleased: boolean;
  until: number;
  /** The requested items, also after cancellation. */
  items: Wanted[];
}

interface Booking {
  reservation: number;
  order: number;
  owner: Who;
  home: HomeName;
  open: boolean;
}

export class Model {
  now = start;
  stays: Stay[] = [];
  orders: Order[] = [];
  bookings: Booking[] = [];
  externals: { id: string; content: string }[] = [];
  listing: { state: 'ACTIVE' | 'INACTIVE' | 'ARCHIVED'; parent: HomeName | null } = {
    state: 'ACTIVE',
    parent: null,
  };

  copy(): Model {
    const copy = new Model();
    copy.now = this.now;
    copy.stays = [...this.stays];
    copy.orders = [...this.orders];
    copy.bookings = [...this.bookings];
    copy.externals = [...this.externals];
    copy.listing = { ...this.listing };
    return copy;
  }

  parentOf(home: HomeName): HomeName | null {
    if (home === 'moved') return this.listing.parent;
    return isChild(home) ? 'parent' : null;
  }

  /** Returns whether stays exclude each other: on one home, and between parent and child (D26). */
  excludes(one: HomeName, other: HomeName): boolean {
    return one === other || this.parentOf(one) === other || this.parentOf(other) === one;
  }

  live(): Stay[] {
    return this.stays.filter(({ until }) => until === null || until > this.now);
  }

  order(id: number | undefined): Order | undefined {
    return this.orders.find((order) => order.id === id);
  }

  /** Returns the caller's own locks that a new order of these stays replaces (D44, D45). */
  ordersInTheWay(who: Who, items: readonly Wanted[]): number[] {
    const held = this.live().filter(
      ({ kind, order }) => kind === 'SOFT_LOCK' && this.order(order)?.owner === who,
    );
    return held
      .filter((stay) => items.some((item) => item.home === stay.home && overlap(item, stay)))
      .map(({ order }) => order);
  }

  /** Returns the stays that conflict with the items, except those of `without`; includes conflicts among the items. */
  conflicts(items: readonly Wanted[], without: readonly number[] = []): Wanted[] {
    const others = this.live().filter(({ order }) => !without.includes(order));
    return items.flatMap((item, at) =>
      [...others, ...items.slice(0, at)].filter(
        (other) => this.excludes(item.home, other.home) && overlap(item, other),
      ),
    );
  }

  /** Returns whether every home of the items can be booked. */
  open(items: readonly Wanted[]): boolean {
    return this.listing.state === 'ACTIVE' || items.every(({ home }) => home !== 'moved');
  }

  /** Returns the conflicts of a request that takes time. */
  obstacles(intent: Intent): Wanted[] {
    const { who, verb, items, target } = intent;
    if (verb === 'hold' || verb === 'confirm') return this.conflicts(items, this.ordersInTheWay(who, items));
    if (verb === 'confirmHeld') return this.conflicts(this.order(target)?.items ?? [], [target ?? 0]);
    return this.conflicts(items);
  }

  /** Applies a request; returns the rules that it violates. */
  apply(intent: Intent, names: Names): string[] {
    const problems = this.#forbidden(intent);
    switch (intent.verb) {
      case 'hold':
        this.#giveWay(intent);
        this.#place(intent, intent.items, names, 'SOFT_LOCK');
        break;
      case 'confirm':
        this.#giveWay(intent);
        this.#place(intent, intent.items, names, 'BOOKED');
        break;
      case 'confirmHeld': {
        const items = this.order(intent.target)?.items ?? [];
        this.#drop([intent.target ?? 0]);
        this.#place(intent, items, names, 'BOOKED');
        break;
      }
      case 'book':
        this.#place(intent, intent.items, names, 'BOOKED');
        if (intent.external !== undefined)
          this.externals.push({ id: intent.external, content: intent.content });
        break;
      case 'block':
        this.#block(intent.items, names);
        break;
      case 'unblock':
        this.stays = this.stays.filter(({ availability }) => availability !== intent.target);
        break;
      case 'extend':
        this.#extend(intent.target ?? 0);
        break;
      case 'release':
        this.#drop([intent.target ?? 0]);
        break;
      case 'cancel':
      case 'cancelExternal':
        this.#cancel(intent);
        break;
      case 'edit':
        this.#edit(intent);
        break;
      case 'hours':
        problems.push('a read wrote something');
    }
    return problems;
  }

  /** Returns the open bookings of a cancellation that this caller may cancel. */
  cancellable({ who, target, verb }: Intent): Booking[] {
    return this.visible(who, target, verb === 'cancelExternal').filter(({ open }) => open);
  }

  visible(who: Who, target: number | undefined, external: boolean): Booking[] {
    return this.named(target).filter(({ owner }) =>
      external ? owner === 'partner' : owner === who || who === 'host',
    );
  }

  /** Returns the stays of a booking id, of any caller. */
  named(target: number | undefined): Booking[] {
    return this.bookings.filter(({ reservation, order }) => reservation === target || order === target);
  }

  #forbidden(intent: Intent): string[] {
    const isOrder = ['hold', 'confirm', 'confirmHeld', 'book', 'block'].includes(intent.verb);
    const taken = isOrder ? this.obstacles(intent) : [];
    const problems = taken.length > 0 ? [`${intent.verb} took hours that are taken`] : [];
    const order = this.order(intent.target);
    if (['confirmHeld', 'extend', 'release'].includes(intent.verb)) {
      if (order?.owner !== intent.who) problems.push(`${intent.verb} of a checkout of another caller`);
      else if (order.state !== 'HELD') problems.push(`${intent.verb} of a checkout that is ${order.state}`);
      else if (intent.verb === 'extend' && order.extended) problems.push('extended twice');
    }
    if (
      ['hold', 'confirm', 'book'].includes(intent.verb) &&
      this.listing.state === 'ARCHIVED' &&
      !this.open(intent.items)
    )
      problems.push(`${intent.verb} of an archived home`);
    if (intent.external !== undefined && this.externals.some(({ id }) => id === intent.external))
      problems.push(`${intent.external} is booked twice`);
    if (['cancel', 'cancelExternal'].includes(intent.verb) && this.cancellable(intent).length === 0)
      problems.push('cancelled what is not open, or not theirs');
    if (
      intent.verb === 'unblock' &&
      !this.stays.some((stay) => stay.kind === 'BLOCKED' && stay.availability === intent.target)
    )
      problems.push('lifted what is no block');
    return problems;
  }

  #giveWay({ who, items }: Intent): void {
    const lapsed = this.stays.filter(
      ({ kind, until, home, ...span }) =>
        kind === 'SOFT_LOCK' &&
        until !== null &&
        until <= this.now &&
        items.some((item) => item.home === home && overlap(item, span)),
    );
    this.#drop(this.ordersInTheWay(who, items));
    this.orders = this.orders.map((order) =>
      order.owner === who && lapsed.some((stay) => stay.order === order.id)
        ? { ...order, perhapsReleased: true }
        : order,
    );
  }

  /** Cancels stays and frees their hours. */
  #drop(ids: readonly number[]): void {
    this.stays = this.stays.filter(({ order }) => !ids.includes(order));
    this.orders = this.orders.map((order) =>
      ids.includes(order.id) ? { ...order, state: 'RELEASED' } : order,
    );
  }

  #place(intent: Intent, items: readonly Wanted[], names: Names, kind: 'BOOKED' | 'SOFT_LOCK'): void {
    const id = names.order ?? 0;
    const until = names.until ?? 0;
    const isBooked = kind === 'BOOKED';
    const positionOf = (item: Wanted, at: number): number => names.places?.indexOf(placeOf(item)) ?? at;
    this.stays = this.stays.concat(
      items.map((item, at) => ({
        ...item,
        order: id,
        availability: names.availabilities[positionOf(item, at)] ?? 0,
        kind,
        until: isBooked ? null : until,
        reservation: isBooked ? (names.reservations[positionOf(item, at)] ?? 0) : null,
      })),
    );
    const order: Order = {
      id,
      owner: intent.who,
      state: isBooked ? 'BOOKED' : 'HELD',
      extended: false,
      perhapsReleased: false,
      until,
      items: [...items],
    };
    this.orders = [...this.orders.filter((known) => known.id !== id), order];
    if (isBooked)
      this.bookings = this.bookings.concat(
        items.map((item, at) => ({
          reservation: names.reservations[positionOf(item, at)] ?? 0,
          order: id,
          owner: intent.who,
          home: item.home,
          open: true,
        })),
      );
  }

  #block(items: readonly Wanted[], names: Names): void {
    const availability = names.availabilities[0] ?? 0;
    this.stays = this.stays.concat(
      items.map((item) => ({
        ...item,
        order: -availability,
        availability,
        kind: 'BLOCKED',
        until: null,
        reservation: null,
      })),
    );
  }

  #extend(id: number): void {
    const until = (this.order(id)?.until ?? 0) + softLockMs;
    this.orders = this.orders.map((order) => (order.id === id ? { ...order, extended: true, until } : order));
    this.stays = this.stays.map((stay) => (stay.order === id ? { ...stay, until } : stay));
  }

  #cancel(intent: Intent): void {
    const ended = new Set(this.cancellable(intent).map(({ reservation }) => reservation));
    this.stays = this.stays.filter(({ reservation }) => reservation === null || !ended.has(reservation));
    this.bookings = this.bookings.map((booking) =>
      ended.has(booking.reservation) ? { ...booking, open: false } : booking,
    );
  }

  #edit({ change }: Intent): void {
    if (change === 'pause') this.listing.state = 'INACTIVE';
    if (change === 'publish') this.listing.state = 'ACTIVE';
    if (change === 'attach') this.listing.parent = 'parent';
    if (change === 'detach') this.listing.parent = null;
    if (change !== 'archive') return;
    this.listing.state = 'ARCHIVED';
    this.stays = this.stays.filter(({ home, kind }) => home !== 'moved' || kind !== 'SOFT_LOCK');
  }
}

export const overlap = (one: HourSpan, other: HourSpan): boolean =>
  one.from < other.to && other.from < one.to;
