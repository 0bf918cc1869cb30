import { addDays } from '../../../../shared/platform/time.ts';
import type { Credential, Reply, Request } from '../client.ts';
import { hotWeek, type Town } from '../town.ts';

interface Stay {
  id: number;
  state: string;
  payment_status: string;
  payment_method: string;
  check_in_date: string;
}

/** A host who manages the team's homes and bookings. */
export class Host {
  readonly #town: Town;
  readonly #who: Credential;

  constructor(town: Town, who: Credential) {
    this.#town = town;
    this.#who = who;
  }

  async live(): Promise<void> {
    const { sim } = this.#town;
    while (await this.#town.think(5)) {
      if (sim.chance(0.6)) await this.#workOnBookings();
      else await this.#workOnHomes();
    }
  }

  #ask(request: Omit<Request, 'path'> & { path: string }): Promise<Reply | undefined> {
    return this.#town.client.ask(this.#who, { ...request, path: `/api/v1${request.path}` });
  }

  #post(verb: string, path: string, body?: object): Promise<Reply | undefined> {
    return this.#ask({ verb, method: 'POST', path, ...(body ? { body } : {}), key: this.#town.newKey() });
  }

  /** Each state has its next step; some are cancelled instead. */
  async #workOnBookings(): Promise<void> {
    const { sim } = this.#town;
    const reply = await this.#ask({
      verb: 'listTeamBookings',
      method: 'GET',
      path: '/bookings',
      query: { limit: 50 },
    });
    if (reply?.status !== 200) return;
    const { items } = reply.json as { items: Stay[] };
    const open = items.filter(({ state }) =>
      ['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT'].includes(state),
    );
    if (open.length === 0) return;
    const stay = sim.chance(0.5) ? open[0]! : sim.pick(open);
    const path = `/bookings/${stay.id}`;
    if (sim.chance(0.12)) {
      await this.#post('cancelBooking', `${path}/cancel`, { reason: 'a broken pipe' });
      return;
    }
    if (stay.state === 'PENDING') await this.#post('confirmBooking', `${path}/confirm`);
    else if (stay.state === 'CHECKED_IN') await this.#post('checkOutBooking', `${path}/check-out`);
    else if (stay.state === 'CHECKED_OUT') await this.#post('completeBooking', `${path}/complete`);
    else if (stay.check_in_date < hotWeek[0]!) await this.#post('checkInBooking', `${path}/check-in`);
    else if (stay.payment_status === 'PENDING' && stay.payment_method !== 'ONLINE_GATEWAY')
      await this.#post('markBookingPaid', `${path}/mark-paid`);
    else await this.#ask({ verb: 'listBookingHistory', method: 'GET', path: `${path}/history` });
  }

  async #workOnHomes(): Promise<void> {
    const { sim, homes, blocks, reviews } = this.#town;
    const own = homes.filter(({ team }) => team === this.#who);
    const home = sim.pick(own);
    const dice = sim.random();
    const date = sim.pick(hotWeek);
    if (dice < 0.25) {
      const path = `/listing-availability/listings/${home.id}/blocks`;
      const reply = await this.#post('blockTime', path, { block_date: date });
      if (reply?.status === 201) blocks.push({ id: (reply.json as { id: number }).id, home });
    } else if (dice < 0.45) {
      const mine = blocks.filter((one) => one.home.team === this.#who);
      if (mine.length === 0) return;
      const block = sim.pick(mine);
      const path = `/listing-availability/listings/${block.home.id}/blocks/${block.id}`;
      await this.#ask({ verb: 'unblockTime', method: 'DELETE', path });
      blocks.splice(blocks.indexOf(block), 1);
    } else if (dice < 0.65) {
      const full_rate = 800_000 + 50_000 * sim.whole(10);
      await this.#ask({
        verb: 'updateListing',
        method: 'PATCH',
        path: `/listings/${home.id}`,
        body: { full_rate },
      });
    } else if (dice < 0.75) {
      const body = {
        date_type: 'ALWAYS',
        charge_unit: 'PER_NIGHT',
        stay_type: 'ANY',
        price: 900_000 + 10_000 * sim.whole(20),
        priority: sim.whole(5),
        is_active: true,
      };
      await this.#post('createPricingRule', `/listing-pricing-rules/listings/${home.id}`, body);
    } else if (dice < 0.9) {
      await this.#post('bookForGuest', '/bookings', {
        items: [
          { listing_id: home.id, check_in_date: date, check_out_date: addDays(date, 1), guest_number: 2 },
        ],
        guest_info: { full_name: 'Bà Tám', phone: '+84906000001', email: 'tam@phone.example' },
        payment_method: 'CASH',
      });
    } else {
      const mine = reviews.filter((one) => one.home.team === this.#who);
      if (mine.length > 0)
        await this.#post('replyToReview', `/reviews/${sim.pick(mine).id}/reply`, { text: 'Thank you.' });
    }
  }
}
