import { addDays } from '../../../../shared/platform/time/time.ts';
import type { Booked, Town } from '../town.ts';
import type { Credential } from '../client.ts';
import { payByTransfer, type ShownTransfer } from '../transfers/payer.ts';
import { Actor } from './actor.ts';
import { tendCustomers } from './customer-keeper.ts';
import { changeStay } from './stay-changes.ts';
import { tendWebhooks } from './webhook-keeper.ts';

const minuteMs = 60_000;
const root = '/external';

/** A partner that sells the homes of its key's teams to guests of its own. */
export class Partner extends Actor {
  #sold = 0;

  async live(): Promise<void> {
    const { sim } = this.town;
    while (await this.town.think(8)) {
      const own = this.town.bookings.filter(({ by, isCancelled }) => by === this.who && !isCancelled);
      if (sim.chance(0.2)) await tendWebhooks(this);
      else if (sim.chance(0.1)) await tendCustomers(this);
      else if (own.length > 0 && sim.chance(0.45)) await this.#tend(sim.pick(own));
      else await this.#sell();
    }
  }

  async #sell(): Promise<void> {
    const { sim, bookings } = this.town;
    const listed = await this.get('listExternalListings', `${root}/listings`, { limit: 20 });
    if (listed?.status !== 200) return;
    const { items } = listed.json as { items: { id: number }[] };
    if (items.length === 0) return;
    const { id: listing_id } = sim.pick(items);
    const check_in_date = sim.pick(this.town.week());
    const nights = 1 + sim.whole(2);
    const dates = { check_in_date, check_out_date: addDays(check_in_date, nights), nights };
    if (sim.chance(0.4))
      await this.get('readExternalAvailability', `${root}/listings/${listing_id}/availability`, {
        start_date: check_in_date,
        end_date: dates.check_out_date,
      });
    const number = sim.chance(0.1) ? this.#sold : ++this.#sold;
    const payment_method = sim.pick(['CASH', 'CASH', 'BANK_TRANSFER']);
    const reply = await this.post('createExternalBooking', `${root}/bookings`, {
      listing_id,
      ...dates,
      guest_number: 2,
      guest_info: { full_name: 'Gió', phone: '+84906000000', email: `gio${sim.whole(4)}@partner.example` },
      payment_method,
      ...(sim.chance(0.7)
        ? { external_system: 'pms', external_booking_id: `${this.who.name}-${number}` }
        : {}),
    });
    if (reply?.status !== 201) return;
    const booked = reply.json as { id: number; total_price: number; transfer?: ShownTransfer | null };
    payByTransfer(this.town, booked.transfer);
    bookings.push({
      id: booked.id,
      stays: [{ id: booked.id, listing_id }],
      by: this.who,
      kind: 'partner',
      method: payment_method,
      total: booked.total_price,
      isCancelled: false,
      pages: [],
    });
    if (sim.chance(0.2)) await changeStay(this, booked.id);
  }

  async #tend(booked: Booked): Promise<void> {
    if (this.town.sim.chance(0.35)) {
      await changeStay(this, booked.id);
      return;
    }
    const dice = this.town.sim.random();
    const path = `${root}/bookings/${booked.id}`;
    if (dice < 0.35) await this.#cancel(booked, path);
    else if (dice < 0.5) await this.get('getExternalBooking', path);
    else if (dice < 0.6) await this.get('listExternalHistory', `${path}/history`);
    else if (dice < 0.7) await this.get('listExternalMessages', `${path}/messages`);
    else if (dice < 0.85)
      await this.post('sendExternalMessage', `${path}/messages`, { text: 'They come late.' });
    else await this.get('listExternalBookings', `${root}/bookings`, { limit: 20 });
  }

  async #cancel(booked: Booked, path: string): Promise<void> {
    if (this.town.sim.chance(0.3)) await this.get('getExternalCancellation', `${path}/cancellation`);
    const reply = await this.post('cancelExternalBooking', `${path}/cancel`);
    if (reply?.status === 200) booked.isCancelled = true;
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
      await sim.sleep(sim.between(0.05, 6) * minuteMs * (this.#town.isSlow ? 300 : 1));
      await this.#readOn();
    }
  }

  /** Reads until nothing is left. */
  async toEnd(): Promise<void> {
    for (let page = 0; page < 10_000; page++) if (!(await this.#readOn())) return;
  }

  async #readOn(): Promise<boolean> {
    const query = { limit: this.limit, ...(this.#cursor === undefined ? {} : { after: this.#cursor }) };
    const path = `/api/v1${root}/events`;
    const reply = await this.#town.client.ask(this.who, { verb: `readEvents`, method: 'GET', path, query });
    if (reply?.status !== 200) {
      if (reply && reply.status < 500 && reply.status !== 429)
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
