import { addDays } from '../../../../shared/platform/time.ts';
import type { Credential, Reply } from '../client.ts';
import { hotWeek, type Town } from '../town.ts';

const minuteMs = 60_000;
const root = '/api/v1/external';

/** A partner that sells the homes of its key's teams to guests of its own. */
export class Partner {
  readonly #town: Town;
  readonly #who: Credential;
  #sold = 0;

  constructor(town: Town, who: Credential) {
    this.#town = town;
    this.#who = who;
  }

  async live(): Promise<void> {
    const { sim } = this.#town;
    while (await this.#town.think(8)) {
      const own = this.#town.bookings.filter(({ by, isCancelled }) => by === this.#who && !isCancelled);
      if (own.length > 0 && sim.chance(0.4)) await this.#tend(sim.pick(own));
      else await this.#sell();
    }
  }

  #post(verb: string, path: string, body?: object): Promise<Reply | undefined> {
    const request = { verb, method: 'POST' as const, path: `${root}${path}`, key: this.#town.newKey() };
    return this.#town.client.ask(this.#who, { ...request, ...(body ? { body } : {}) });
  }

  #get(verb: string, path: string, query: Record<string, string | number> = {}): Promise<Reply | undefined> {
    return this.#town.client.ask(this.#who, { verb, method: 'GET', path: `${root}${path}`, query });
  }

  async #sell(): Promise<void> {
    const { sim, bookings } = this.#town;
    const listed = await this.#get('listExternalListings', '/listings', { limit: 20 });
    if (listed?.status !== 200) return;
    const { items } = listed.json as { items: { id: number }[] };
    if (items.length === 0) return;
    const { id: listing_id } = sim.pick(items);
    const check_in_date = sim.pick(hotWeek);
    const nights = 1 + sim.whole(2);
    if (sim.chance(0.4))
      await this.#get('readExternalAvailability', `/listings/${listing_id}/availability`, {
        start_date: check_in_date,
        end_date: addDays(check_in_date, nights),
      });
    const own = sim.chance(0.7)
      ? {
          external_system: 'pms',
          external_booking_id: `${this.#who.name}-${sim.chance(0.1) ? this.#sold : ++this.#sold}`,
        }
      : {};
    const reply = await this.#post('createExternalBooking', '/bookings', {
      listing_id,
      check_in_date,
      check_out_date: addDays(check_in_date, nights),
      nights,
      guest_number: 2,
      guest_info: { full_name: 'Gió', phone: '+84906000000', email: 'gio@partner.example' },
      payment_method: 'CASH',
      ...own,
    });
    if (reply?.status !== 201) return;
    const booked = reply.json as { id: number; total_price: number };
    bookings.push({
      id: booked.id,
      stays: [{ id: booked.id, listing_id }],
      by: this.#who,
      kind: 'partner',
      method: 'CASH',
      total: booked.total_price,
      isCancelled: false,
    });
  }

  async #tend(booked: Town['bookings'][number]): Promise<void> {
    const { sim } = this.#town;
    const dice = sim.random();
    if (dice < 0.4) {
      const reply = await this.#post('cancelExternalBooking', `/bookings/${booked.id}/cancel`);
      if (reply?.status === 200) booked.isCancelled = true;
    } else if (dice < 0.6) await this.#get('getExternalBooking', `/bookings/${booked.id}`);
    else if (dice < 0.8)
      await this.#post('sendExternalMessage', `/bookings/${booked.id}/messages`, { text: 'They come late.' });
    else await this.#get('listExternalBookings', '/bookings', { limit: 20 });
  }
}

/** Reads the feed of events from a cursor on, page by page. */
export class FeedReader {
  readonly #town: Town;
  readonly who: Credential;
  readonly limit: number;
  /** How often each event was read. */
  readonly read = new Map<string, number>();
  readonly problems: string[] = [];
  #cursor: string | undefined;

  constructor(town: Town, who: Credential, limit: number) {
    this.#town = town;
    this.who = who;
    this.limit = limit;
  }

  async live(): Promise<void> {
    const { sim } = this.#town;
    while (!this.#town.isOver) {
      await sim.sleep(sim.between(0.05, 6) * minuteMs);
      await this.#readOn();
    }
  }

  /** Reads until nothing is left. */
  async toEnd(): Promise<void> {
    for (let page = 0; page < 10_000; page++) if (!(await this.#readOn())) return;
  }

  async #readOn(): Promise<boolean> {
    const query = { limit: this.limit, ...(this.#cursor === undefined ? {} : { after: this.#cursor }) };
    const path = `${root}/events`;
    const reply = await this.#town.client.ask(this.who, { verb: `readEvents`, method: 'GET', path, query });
    if (reply?.status !== 200) {
      if (reply && reply.status < 500)
        this.problems.push(`a reader was answered ${reply.status}: ${reply.text}`);
      return this.#town.isOver;
    }
    const { items, next_cursor, has_more } = reply.json as {
      items: { id: string }[];
      next_cursor: string;
      has_more: boolean;
    };
    for (const { id } of items) this.read.set(id, (this.read.get(id) ?? 0) + 1);
    this.#cursor = next_cursor;
    return has_more;
  }
}
