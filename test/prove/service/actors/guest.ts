import type { Bank } from '../bank.ts';
import type { Credential } from '../client.ts';
import type { Booked, Town } from '../town.ts';
import { payByTransfer, type ShownTransfer } from '../transfers/payer.ts';
import { Actor } from './actor.ts';
import { browse } from './browse.ts';
import { tendStay } from './guest-stay.ts';
import { type StayWish, wishOf } from './wish.ts';

const minuteMs = 60_000;

/** The price of a live soft lock. */
interface Held {
  total: number;
  /** Epoch milliseconds. */
  until: number;
}

interface Confirmed {
  master_reservation_id: number;
  reservations: { id: number; listing_id: number }[];
  payment_url?: string;
  transfer?: ShownTransfer;
  estimated_total: number;
}

/** A guest who wants a stay of the hot week, and changes the mind. */
export class Guest extends Actor {
  readonly #bank: Bank;

  constructor(town: Town, bank: Bank, who: Credential) {
    super(town, who);
    this.#bank = bank;
  }

  get takesTokens(): boolean {
    return this.#bank.gateway.takesTokens;
  }

  async live(): Promise<void> {
    const { sim } = this.town;
    while (await this.town.think(10)) {
      const own = this.town.bookings.filter(({ by, isCancelled }) => by === this.who && !isCancelled);
      const dice = sim.random();
      if (own.length > 0 && dice < 0.45) await tendStay(this, sim.chance(0.5) ? own.at(-1)! : sim.pick(own));
      else if (dice < 0.52) await browse(this);
      else if (dice < 0.62) await this.#useCart();
      else await this.#look();
    }
  }

  /** Collects stays, thinks, and books what is left of them in one order. */
  async #useCart(): Promise<void> {
    const { sim } = this.town;
    for (const { listing_id, check_in_date, check_out_date } of [
      ...wishOf(this.town),
      ...wishOf(this.town),
    ]) {
      const [check_in, check_out] = [`${check_in_date}T14:00:00`, `${check_out_date}T12:00:00`];
      await this.post('addToCart', '/cart', {
        listing_id: String(listing_id),
        check_in,
        check_out,
        guests: 2,
      });
    }
    await this.town.pause(10);
    const reply = await this.get('listCart', '/cart');
    if (reply?.status !== 200) return;
    const all = (
      reply.json as {
        items: { id: number; listing_id: number; check_in: string; check_out: string; available: boolean }[];
      }
    ).items;
    const wanted = all.filter(({ available }) => available || sim.chance(0.1)).slice(0, 3);
    const items = wanted.map(({ listing_id, check_in, check_out }) => ({
      listing_id,
      check_in_date: check_in.slice(0, 10),
      check_out_date: check_out.slice(0, 10),
      guest_number: 2,
    }));
    if (items.length > 0) await this.#confirm({ items });
    for (const { id } of all) if (sim.chance(0.8)) await this.remove('removeFromCart', `/cart/${id}`);
  }

  async #look(): Promise<void> {
    const { sim } = this.town;
    const items = wishOf(this.town);
    const [first] = items as [StayWish];
    if (sim.chance(0.3))
      await this.get('searchListings', '/search', {
        location: 'LD',
        check_in: first.check_in_date,
        check_out: first.check_out_date,
        guests: 2,
      });
    if (sim.chance(0.2)) await this.get('getListing', `/listings/${first.listing_id}`);
    if (sim.chance(0.2)) await this.#chooseExtras(first);
    let expected: number | undefined;
    if (sim.chance(0.3)) {
      const reply = await this.inquire('previewCheckout', '/checkout/preview', { items });
      if (reply?.status === 200 && sim.chance(0.5))
        expected = (reply.json as { estimated_total: number }).estimated_total;
    }
    if (sim.chance(0.55)) await this.#hold(items);
    else await this.#confirm({ items }, undefined, expected);
  }

  /** Adds what the host offers beside the stay, as far as it is offered now. */
  async #chooseExtras(stay: StayWish): Promise<void> {
    const { sim } = this.town;
    const services = await this.get('listExtraServices', `/listings/${stay.listing_id}/extra-services`);
    const offered = (services?.status === 200 ? services.json : []) as { id: number; is_active: boolean }[];
    const chosen = offered.filter(({ is_active }) => is_active && sim.chance(0.7)).map(({ id }) => id);
    if (chosen.length > 0) stay.extra_service_ids = chosen;
    const combos = await this.get('listComboPrices', `/listing-combo-prices/listings/${stay.listing_id}`);
    const [combo] = (combos?.status === 200 ? combos.json : []) as {
      id: number;
      start_time: string;
      end_time: string;
      is_active: boolean;
    }[];
    if (!combo?.is_active || sim.chance(0.5)) return;
    stay.combo_id = combo.id;
    stay.check_in_time = combo.start_time;
    stay.check_out_time = combo.end_time;
  }

  async #hold(items: StayWish[]): Promise<void> {
    const { sim } = this.town;
    const reply = await this.post('createCheckout', '/checkout', { items });
    if (reply?.status !== 201) return;
    const { checkout_id, preview, locked_until } = reply.json as {
      checkout_id: number;
      preview: { estimated_total: number };
      locked_until: string;
    };
    await sim.sleep(sim.between(0.2, 9) * minuteMs);
    if (sim.chance(0.2)) await this.post('extendCheckout', `/checkout/${checkout_id}/extend`);
    const dice = sim.random();
    if (dice < 0.2) await this.remove('releaseCheckout', `/checkout/${checkout_id}`);
    // Another wish instead; mostly the first lock is left to its end.
    if (dice < 0.1) return;
    if (dice < 0.25) {
      await this.#confirm({ items: wishOf(this.town) });
      return;
    }
    await this.town.pause(sim.chance(0.1) ? 20 : 4);
    const held = { total: preview.estimated_total, until: Date.parse(locked_until) };
    // A held price also goes with the stay alone.
    if (dice < 0.35) await this.#confirm({ items }, held);
    else await this.#confirm({ checkout_id }, held);
  }

  async #confirm(
    what: { items: StayWish[] } | { checkout_id: number },
    held?: Held,
    expected?: number,
  ): Promise<void> {
    const { sim } = this.town;
    const dice = sim.random();
    // Of the few bookings of a slow history most.
    const transfers = this.town.isSlow ? 0.7 : 0.35;
    const method = dice < 0.12 ? 'CASH' : dice < transfers ? 'BANK_TRANSFER' : 'ONLINE_GATEWAY';
    const tokens = ['tok_ok', 'tok_ok', 'tok_ok', 'tok_declined', 'tok_uncapturable'];
    const body = {
      ...what,
      payment_method: method,
      ...(dice > 0.75 && this.#bank.gateway.takesTokens ? { payment_gateway_token: sim.pick(tokens) } : {}),
      ...(expected === undefined ? {} : { expected_total: expected }),
    };
    const key = this.town.newKey();
    const reply = await this.post('confirmCheckout', '/checkout/confirm', body, key);
    if (reply?.status !== 201) return;
    const { master_reservation_id, reservations, payment_url, transfer, estimated_total } =
      reply.json as Confirmed;
    // The clocks of two instances differ by up to a second.
    if (held && sim.now() < held.until - 1000 && held.total !== estimated_total)
      this.town.problems.push(
        `${master_reservation_id}: held at ${held.total}, confirmed at ${estimated_total}`,
      );
    const booked: Booked = {
      id: master_reservation_id,
      stays: reservations.map(({ id, listing_id }) => ({ id, listing_id })),
      by: this.who,
      kind: 'guest',
      method,
      total: estimated_total,
      isCancelled: false,
      pages: payment_url ? [payment_url] : [],
    };
    this.town.bookings.push(booked);
    if (sim.chance(0.1)) await this.post('confirmCheckout', '/checkout/confirm', body, key);
    if (payment_url) void this.pay(payment_url, booked);
    payByTransfer(this.town, transfer);
  }

  /** On the bank's page: pays, fails first, or leaves it. */
  async pay(url: string, booked: Booked): Promise<void> {
    const { sim } = this.town;
    if (booked.stays.length > 1 && sim.chance(0.4)) await this.#payTheRest(url, booked);
    if (sim.chance(0.3))
      await sim.sleep(this.#bank.endsAt(url) - sim.now() - sim.between(1000, 2 * minuteMs));
    else await this.town.pause(sim.chance(0.3) ? 20 : 6);
    const dice = sim.random();
    if (dice < 0.15) return;
    if (dice < 0.35) {
      this.#bank.decide(url, false);
      return;
    }
    // Regrets it at once: the cancellation meets the bank's report. Of parts there are several refunds of one charge.
    if (sim.chance(0.4)) {
      const isInParts = booked.stays.length > 1 && sim.chance(0.6);
      const ids = isInParts ? booked.stays.map(({ id }) => id) : [booked.id];
      this.#bank.onPaid(url, (inMs) => {
        for (const id of ids) sim.later(inMs - sim.between(0, 150), () => void this.cancel(booked, id));
      });
    }
    // Comes with another party: its price meets the report too.
    else if (sim.chance(0.3))
      this.#bank.onPaid(url, (inMs) => {
        const { id } = sim.pick(booked.stays);
        const path = `/bookings/${id}/change`;
        const party = { guest_number: 1 + sim.whole(4) };
        sim.later(inMs - sim.between(0, 150), () => void this.post('changeBooking', path, party));
      });
    this.#bank.decide(url, true);
  }

  /** Gives up a part of an order, and stays on the page of the whole while the service replaces it. */
  async #payTheRest(url: string, booked: Booked): Promise<void> {
    const { sim } = this.town;
    await this.cancel(booked, sim.pick(booked.stays).id);
    this.#bank.onAsked(url, () => void this.#bank.decide(url, true));
    await sim.sleep(sim.between(5, 12) * minuteMs);
  }

  async cancel(booked: Booked, stay: number): Promise<void> {
    const reason = 'another plan '.repeat(1 + this.town.sim.whole(12)).trim();
    const reply = await this.post('cancelBooking', `/bookings/${stay}/cancel`, { reason });
    if (reply?.status === 200 && stay === booked.id) booked.isCancelled = true;
  }
}
