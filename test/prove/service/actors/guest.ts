import { addDays } from '../../../../shared/platform/time.ts';
import type { Bank } from '../bank.ts';
import type { Credential, Reply, Request } from '../client.ts';
import { type Booked, type Home, hotWeek, today, type Town } from '../town.ts';

const minuteMs = 60_000;

interface Item {
  listing_id: number;
  check_in_date: string;
  check_out_date: string;
  guest_number: number;
}

/** The price of a live soft lock. */
interface Held {
  total: number;
  /** Epoch milliseconds. */
  until: number;
}

const post = (verb: string, path: string, body: object | undefined, key: string): Request => ({
  verb,
  method: 'POST',
  path: `/api/v1${path}`,
  ...(body ? { body } : {}),
  key,
});

const get = (verb: string, path: string, query: Request['query'] = {}): Request => ({
  verb,
  method: 'GET',
  path: `/api/v1${path}`,
  query,
});

/** A guest who wants a stay of the hot week, and changes the mind. */
export class Guest {
  readonly #town: Town;
  readonly #bank: Bank;
  readonly #who: Credential;

  constructor(town: Town, bank: Bank, who: Credential) {
    this.#town = town;
    this.#bank = bank;
    this.#who = who;
  }

  async live(): Promise<void> {
    const { sim } = this.#town;
    while (await this.#town.think(10)) {
      const own = this.#town.bookings.filter(({ by, isCancelled }) => by === this.#who && !isCancelled);
      if (own.length > 0 && sim.chance(0.45)) await this.#tend(sim.chance(0.5) ? own.at(-1)! : sim.pick(own));
      else await this.#look();
    }
  }

  #ask(request: Request): Promise<Reply | undefined> {
    return this.#town.client.ask(this.#who, request);
  }

  /** Mostly one home for one or two nights; sometimes several. */
  #wish(): Item[] {
    const { sim, homes } = this.#town;
    const isTonight = sim.chance(0.15);
    const first = isTonight ? today : sim.pick(hotWeek);
    const nights = isTonight ? 1 : 1 + sim.whole(2);
    const some = sim.chance(0.25) ? [sim.pick(homes), sim.pick(homes)] : [sim.pick(homes)];
    return [...new Set(some.filter((home) => !this.#excludedBy(home, some)))].map(({ id }) => ({
      listing_id: id,
      check_in_date: first,
      check_out_date: addDays(first, nights),
      guest_number: 2,
    }));
  }

  /** A house and its room exclude each other. */
  #excludedBy({ parent }: Home, others: readonly Home[]): boolean {
    return others.some(({ id }) => id === parent);
  }

  async #look(): Promise<void> {
    const { sim } = this.#town;
    const items = this.#wish();
    if (sim.chance(0.3)) {
      const [first] = items;
      await this.#ask(
        get('searchListings', '/search', {
          location: 'LD',
          check_in: first!.check_in_date,
          check_out: first!.check_out_date,
          guests: 2,
        }),
      );
    }
    if (sim.chance(0.2)) await this.#ask(get('getListing', `/listings/${items[0]!.listing_id}`));
    if (sim.chance(0.3))
      await this.#ask({
        verb: 'previewCheckout',
        method: 'POST',
        path: '/api/v1/checkout/preview',
        body: { items },
      });
    if (sim.chance(0.55)) await this.#hold(items);
    else await this.#confirm({ items });
  }

  async #hold(items: Item[]): Promise<void> {
    const { sim } = this.#town;
    const reply = await this.#ask(post('createCheckout', '/checkout', { items }, this.#town.newKey()));
    if (reply?.status !== 201) return;
    const { checkout_id, preview, locked_until } = reply.json as {
      checkout_id: number;
      preview: { estimated_total: number };
      locked_until: string;
    };
    await sim.sleep(sim.between(0.2, 9) * minuteMs);
    if (sim.chance(0.2))
      await this.#ask(
        post('extendCheckout', `/checkout/${checkout_id}/extend`, undefined, this.#town.newKey()),
      );
    if (sim.chance(0.1)) {
      await this.#ask({ verb: 'releaseCheckout', method: 'DELETE', path: `/api/v1/checkout/${checkout_id}` });
      return;
    }
    await this.#town.think(sim.chance(0.1) ? 20 : 4);
    await this.#confirm({ checkout_id }, { total: preview.estimated_total, until: Date.parse(locked_until) });
  }

  async #confirm(what: { items: Item[] } | { checkout_id: number }, held?: Held): Promise<void> {
    const { sim } = this.#town;
    const dice = sim.random();
    const method = dice < 0.12 ? 'CASH' : dice < 0.2 ? 'BANK_TRANSFER' : 'ONLINE_GATEWAY';
    const token =
      dice > 0.75 && this.#bank.gateway.takesTokens
        ? {
            payment_gateway_token: sim.pick([
              'tok_ok',
              'tok_ok',
              'tok_ok',
              'tok_declined',
              'tok_uncapturable',
            ]),
          }
        : {};
    const body = { ...what, payment_method: method, ...token };
    const key = this.#town.newKey();
    const reply = await this.#ask(post('confirmCheckout', '/checkout/confirm', body, key));
    if (reply?.status !== 201) return;
    const { master_reservation_id, reservations, payment_url, estimated_total } = reply.json as {
      master_reservation_id: number;
      reservations: { id: number; listing_id: number }[];
      payment_url?: string;
      estimated_total: number;
    };
    // The clocks of two instances differ by up to a second.
    if (held && sim.now() < held.until - 1000 && held.total !== estimated_total)
      this.#town.problems.push(
        `${master_reservation_id}: held at ${held.total}, confirmed at ${estimated_total}`,
      );
    const booked: Booked = {
      id: master_reservation_id,
      stays: reservations.map(({ id, listing_id }) => ({ id, listing_id })),
      by: this.#who,
      kind: 'guest',
      method,
      total: estimated_total,
      isCancelled: false,
      ...(payment_url ? { payUrl: payment_url } : {}),
    };
    this.#town.bookings.push(booked);
    if (sim.chance(0.1)) await this.#ask(post('confirmCheckout', '/checkout/confirm', body, key));
    if (payment_url) void this.#pay(payment_url, booked);
  }

  /** On the bank's page: pays, fails first, or leaves it. */
  async #pay(url: string, booked: Booked): Promise<void> {
    const { sim } = this.#town;
    if (sim.chance(0.2))
      await sim.sleep(this.#bank.endsAt(url) - sim.now() - sim.between(1000, 2 * minuteMs));
    else await this.#town.think(sim.chance(0.3) ? 20 : 6);
    const dice = sim.random();
    if (dice < 0.15) return;
    if (dice < 0.3) {
      this.#bank.decide(url, false);
      return;
    }
    // Regrets it at once: the cancellation meets the bank's report.
    if (sim.chance(0.4))
      this.#bank.onPaid(url, (inMs) =>
        sim.later(inMs - sim.between(0, 150), () => void this.#cancel(booked, booked.id)),
      );
    this.#bank.decide(url, true);
  }

  async #cancel(booked: Booked, stay: number): Promise<void> {
    const reply = await this.#ask(
      post('cancelBooking', `/bookings/${stay}/cancel`, { reason: 'another plan' }, this.#town.newKey()),
    );
    if (reply?.status === 200 && stay === booked.id) booked.isCancelled = true;
  }

  async #tend(booked: Booked): Promise<void> {
    const { sim } = this.#town;
    const dice = sim.random();
    const stay = sim.chance(0.6) ? booked.id : sim.pick(booked.stays).id;
    if (dice < 0.35) {
      const reply = await this.#ask(get('getBooking', `/bookings/${stay}`));
      const url = (reply?.json as { payment_url?: string | null } | undefined)?.payment_url;
      if (url) void this.#pay(url, booked);
    } else if (dice < 0.6) {
      if (sim.chance(0.3)) await this.#ask(get('getCancellation', `/bookings/${stay}/cancellation`));
      await this.#cancel(booked, stay);
    } else if (dice < 0.8) {
      await this.#ask(
        post(
          'sendMessage',
          `/chats/${booked.stays[0]!.id}/messages`,
          { text: 'When may we come?' },
          this.#town.newKey(),
        ),
      );
    } else if (dice < 0.9) {
      const reply = await this.#ask(
        post(
          'createReview',
          `/bookings/${booked.stays[0]!.id}/review`,
          { rating: 1 + sim.whole(5) },
          this.#town.newKey(),
        ),
      );
      if (reply?.status === 201)
        this.#town.reviews.push({
          id: (reply.json as { id: number }).id,
          home: this.#town.home(booked.stays[0]!.listing_id),
        });
    } else await this.#ask(get('listMyBookings', '/bookings/my'));
  }
}
