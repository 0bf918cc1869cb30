import type { Gateway } from '../../../infra/local/gateway/index.ts';
import type { OutgoingReply } from '../../../shared/platform/outgoing/index.ts';
import { type Booking, dateText, dayOf, type Manner, type Nights, Platform } from '../ical/platform.ts';
import { firstDay } from '../ical/world.ts';
import type { Simulation } from './simulation.ts';
import type { ServiceTable } from './table.ts';
import type { Home, NewFeed, Town } from './town.ts';
import type { Weather } from './weather.ts';

const minuteMs = 60_000;
/** Bookings from before, most of which stay, so that one cancellation is no quarantine. */
const farBookings = [14, 20, 26, 32];
/** The nights that platforms sell, from the first day on: those that guests want here. */
const soldNights = 10;
/** What calendars say of a sale; without it, that the nights are not available. */
const texts = [
  ...['Reserved', 'Booked - Airbnb', 'Maria Schmidt', 'Closed'].map((summary) => ({ summary })),
  {},
];
/** In a slow history they fetch our exports so much less often. */
const slowness = 3;

/** A platform that a host follows, with the address of our export for it. */
interface Linked {
  platform: Platform;
  home: Home;
  exportUrl: string;
  /** Texts that were handed out, until one of them is known to be kept. */
  handed: { etag: string; read: () => void }[];
  /** Since when its fetches of our export have failed. */
  failingSince: number | undefined;
}

/** Other platforms, two-way: they sell nights of the same homes, fetch our exports through the gateway, and serve theirs. */
export class Platforms {
  readonly linked: Linked[] = [];
  readonly #town: Town;
  readonly #sim: Simulation;
  readonly #weather: Weather;
  readonly #gateway: Gateway;
  readonly #table: ServiceTable;

  constructor(town: Town, weather: Weather, gateway: Gateway, table: ServiceTable) {
    this.#town = town;
    this.#sim = town.sim;
    this.#weather = weather;
    this.#gateway = gateway;
    this.#table = table;
  }

  /** Hosts follow none, one or two platforms. */
  async open(): Promise<void> {
    const sim = this.#sim;
    const [house, room, , , villa] = this.#town.homes as [Home, Home, Home, Home, Home];
    const followed = sim.pick([[], [house], [villa], [room, room], [house, room], [villa, villa]]);
    for (const [number, home] of followed.entries()) {
      const platform = new Platform(`platform-${number}`, home.id, this.#manner());
      for (const day of farBookings) {
        const from = firstDay + day + 2 * number;
        platform.book({ from, to: from + 1, ...sim.pick(texts) }, sim.now() - 24 * 60 * minuteMs);
      }
      const linked = { platform, home, exportUrl: '', handed: [], failingSince: undefined };
      this.linked.push(linked);
      const path = `/api/v1/listings/${home.id}/calendar/ical`;
      const body = { url: platform.url };
      const reply = await this.#town.must(home.team, { verb: 'followCalendar', method: 'POST', path, body });
      const { id, export_url } = reply.json as NewFeed;
      linked.exportUrl = export_url;
      const paste = (exportUrl: string) => {
        linked.exportUrl = exportUrl;
        platform.followAnew();
      };
      const { url } = platform;
      this.#town.followed.push({ id, url, home, said: {}, counted: new Set(['BY_TEXT']), paste });
      sim.note(`${platform.url} ${JSON.stringify(platform.manner)}`);
    }
  }

  /** A calendar that was empty for a moment is in quarantine where it has changed meanwhile: its host says that it is right. */
  async endQuarantines(): Promise<void> {
    for (const { platform, home } of this.linked) {
      const path = `/api/v1/listings/${home.id}/calendar/ical`;
      const reply = await this.#town.client.ask(home.team, { verb: 'listFeeds', method: 'GET', path });
      if (reply?.status !== 200) continue;
      const { items } = reply.json as { items: { url: string; status: string }[] };
      if (!items.some(({ url, status }) => url === platform.url && status === 'QUARANTINED')) continue;
      const body = { url: platform.url };
      await this.#town.client.ask(home.team, { verb: 'followCalendar', method: 'POST', path, body });
    }
  }

  /** Until nothing is an echo any more of what platforms were given once; two hand it on to each other. */
  get restHours(): number {
    const first = this.#town.isSlow && this.linked.length > 0 ? 2 : 0;
    return (this.linked.length > 1 ? 10.5 : 6.5) + first;
  }

  async live(): Promise<void> {
    for (const linked of this.linked) {
      this.#keepFetching(linked);
      void this.#sell(linked);
    }
  }

  /** What a fetch of ours is answered: now and then something that is no calendar, or not the whole. */
  answer(url: string, headers: Record<string, string>): OutgoingReply {
    const linked = this.linked.find(({ platform }) => platform.url === url);
    const reply = (status: number, body: string, etag?: string): OutgoingReply => ({
      status,
      headers: etag === undefined ? {} : { etag },
      body: Buffer.from(body),
      url,
    });
    if (!linked) return reply(200, 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n', '"empty"');
    this.#noteKept(linked);
    const { platform, handed } = linked;
    const happens = (what: string, probability: number) => this.#weather.happens(what, probability);
    if (happens('a calendar answers 503', 0.04)) return reply(503, 'try again');
    if (happens('a page instead of a calendar', 0.02)) return reply(200, '<html>Log in</html>');
    if (happens('half a calendar', 0.03)) return reply(200, 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1');
    // With two, a night that is cancelled while it is in quarantine goes from one to the other for ever.
    if (this.linked.length === 1 && happens('an empty calendar', 0.02))
      return reply(200, 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n');
    const { text, etag, read } = platform.text(this.#sim.now());
    if (headers['If-None-Match'] === etag) return reply(304, '', etag);
    handed.push({ etag, read });
    return reply(200, text, etag);
  }

  /** What was read is known once the service keeps the text: a fetch may be lost, or its reader may die. */
  noteKept(): void {
    for (const linked of this.linked) this.#noteKept(linked);
  }

  #noteKept({ platform, handed }: Linked): void {
    const feed = this.#table
      .items()
      .find(({ entity, url }) => entity === 'FollowedFeed' && url === platform.url);
    const at = handed.findLastIndex(({ etag }) => etag === feed?.['etag']);
    if (at === -1) return;
    handed[at]?.read();
    handed.splice(0, at + 1);
  }

  /** The nights that guests want: of a slow history from today on. */
  get days(): Nights {
    const from = this.#town.isSlow ? dayOf(this.#town.today()) : firstDay;
    return { from, to: from + soldNights };
  }

  #manner(): Manner {
    const sim = this.#sim;
    const reExports = sim.chance(this.#town.isSlow ? 0.6 : 0.85);
    return {
      reExports,
      newUids: sim.chance(0.5),
      form: sim.pick(['dates', 'dates', 'midnights', 'hours']),
      merges: sim.pick(['never', 'imported', 'imported', 'everything']),
      knowsHours: sim.chance(0.3),
      everyMs: sim.between(8, 15) * minuteMs,
      lagMs: sim.pick([0, 0, 5, 10]) * minuteMs,
      // In hours nothing that is sold is past.
      cutsPast: this.#town.isSlow && sim.chance(0.5),
    };
  }

  /** Its guests book, change their minds and cancel; now and then it gives an event another UID. */
  async #sell({ platform }: Linked): Promise<void> {
    const sim = this.#sim;
    while (await this.#town.think(this.#town.isSlow ? 1 : 12)) {
      const { from: first } = this.days;
      const ahead = (sale: Booking): boolean => sale.to > first;
      const sold = platform.bookings.filter(({ sale = 0 }) => sale > farBookings.length).filter(ahead);
      const booking = sold.length > 0 ? sim.pick(sold) : undefined;
      const adopted = platform.bookings.filter((sale) => ahead(sale) && this.#isAdopted(platform, sale));
      const dice = sim.random();
      if (adopted.length > 0 && sim.chance(0.4, 'moveEvent'))
        this.#change(platform, sim.pick(adopted), false);
      else if (booking && dice < 0.25) {
        const isSafe = adopted.length > 0 && platform.bookings.length > farBookings.length;
        const leaving = isSafe ? sim.pick(adopted) : booking;
        sim.note(`${platform.url} cancels ${leaving.from} to ${leaving.to}`);
        platform.cancel(platform.bookings.indexOf(leaving), sim.now());
      } else if (booking && dice < 0.5) this.#change(platform, booking, dice < 0.32);
      else {
        const sale = { ...this.#wanted(platform), ...sim.pick(texts) };
        if (platform.book(sale, sim.now())) sim.note(`${platform.url} sells ${JSON.stringify(sale)}`);
      }
    }
  }

  /** Whether its host has made a booking of a sale. */
  #isAdopted({ url }: Platform, { from, to }: Booking): boolean {
    const feed = this.#town.followed.find((one) => one.url === url);
    return this.#table
      .items()
      .some(
        ({ payment_method, feed_id, state, check_in_date, check_out_date }) =>
          payment_method === 'PLATFORM' &&
          feed_id === feed?.id &&
          state === 'CONFIRMED' &&
          check_in_date === dateText(from) &&
          check_out_date === dateText(to),
      );
  }

  /** One thing at a time, so that what is read connects it with the booking. */
  #change(platform: Platform, booking: Booking, isRenamed: boolean): void {
    const sim = this.#sim;
    if (booking.shownAt === undefined) return;
    const { from, to } = booking;
    const [by, more] = [sim.pick([-2, -1, 0, 1, 2]), sim.pick([0, 0, 1])];
    const isHere = from < this.days.from;
    const nights = isHere ? { from, to: to + 1 } : { from: from + by, to: to + by + more };
    const isChanged =
      nights.from >= Math.min(from, this.days.from) &&
      platform.change(booking, isRenamed ? 'other UID' : nights, sim.now());
    if (isChanged)
      sim.note(
        `${platform.url} ${isRenamed ? 'renames' : 'moves'} ${from} to ${to}: ${nights.from} to ${nights.to}`,
      );
  }

  /** Some nights; now and then exactly those that it was given once. */
  #wanted({ given }: Platform): Nights {
    const sim = this.#sim;
    const { from: first, to: last } = this.days;
    const times = given.filter(({ from, to }) => from >= first && to <= last);
    if (times.length > 0 && sim.chance(0.4)) {
      const { from, to } = sim.pick(times);
      return { from, to };
    }
    const from = first + sim.whole(soldNights - 2);
    return { from, to: from + 1 + sim.whole(2) };
  }

  #keepFetching(linked: Linked): void {
    const { everyMs } = linked.platform.manner;
    const next = async (): Promise<void> => {
      const isGood = await this.#fetch(linked);
      this.#sim.later(isGood ? everyMs * (this.#town.isSlow ? slowness : 1) : minuteMs, () => void next());
    };
    this.#sim.later(this.#sim.between(0, everyMs), () => void next());
  }

  /** A platform fetches our export; it keeps what it has if that fails. */
  async #fetch(linked: Linked): Promise<boolean> {
    const sim = this.#sim;
    const { pathname, search } = new URL(linked.exportUrl);
    linked.failingSince ??= sim.now();
    if (this.#weather.happens('a fetch of an export lost', 0.03)) return false;
    const { status, body } = await sim.inside(() =>
      this.#gateway.dispatch({
        method: 'GET',
        url: `${pathname}${search}`,
        headers: [],
        body: Buffer.from(''),
        sourceIp: '203.0.113.11',
      }),
    );
    await sim.sleep(sim.between(20, 400));
    if (status !== 200 || this.#weather.happens('an export lost', 0.03)) return false;
    linked.platform.import(body, sim.now(), linked.failingSince);
    linked.failingSince = undefined;
    return true;
  }
}
