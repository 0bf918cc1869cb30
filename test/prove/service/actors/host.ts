import { Actor } from './actor.ts';
import { tendHomes } from './homes.ts';
import { tendTransfers } from '../transfers/keeper.ts';
import { changeStay } from './stay-changes.ts';

interface Stay {
  id: number;
  state: string;
  payment_status: string;
  payment_method: string;
  total_price: number;
  amount_due: number;
  amount_paid: number;
  check_in_date: string;
  check_out_date: string;
}

const openStates = new Set(['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT']);

/** A host who manages the team's homes and bookings. */
export class Host extends Actor {
  async live(): Promise<void> {
    const { sim } = this.town;
    // In a slow history, a few times a day.
    while (await this.town.think(this.town.isSlow ? 1.5 : 5)) {
      if (sim.chance(this.town.isSlow ? 0.4 : 0.15)) await tendTransfers(this);
      else if (sim.chance(0.5)) await this.#workOnBookings();
      else await tendHomes(this);
    }
  }

  async #workOnBookings(): Promise<void> {
    const { sim } = this.town;
    const reply = await this.get('listTeamBookings', '/bookings', { limit: 50 });
    if (reply?.status !== 200) return;
    const { items } = reply.json as { items: Stay[] };
    const open = items.filter(({ state }) => openStates.has(state));
    if (open.length === 0) return;
    // In a slow history a host does a day's work at once.
    const due = open.filter((stay) => this.#isDue(stay));
    for (const stay of this.town.isSlow ? due : []) await this.#workThrough(stay);
    const stay = sim.chance(0.5) ? open[0]! : sim.pick(open);
    if (sim.chance(0.08, 'rotateGuestLink'))
      await this.post('rotateGuestLink', `/bookings/${stay.id}/guest-link/rotate`);
    else if (sim.chance(0.12)) await this.#turnDown(stay);
    else if (sim.chance(0.14)) await this.#correct(stay);
    else if (sim.chance(0.35)) await changeStay(this, stay.id);
    else if (sim.chance(0.2)) await this.#settle(stay);
    else await this.#advance(stay);
  }

  /** Whether the guest is to come, or to leave, by today. */
  #isDue({ state, check_in_date, check_out_date }: Stay): boolean {
    const today = this.town.today();
    if (state === 'PENDING') return true;
    return state === 'CONFIRMED' ? check_in_date <= today : state === 'CHECKED_IN' && check_out_date <= today;
  }

  /** Mostly the next step; some bookings are declined, and some guests were not the ones who came. */
  async #workThrough(stay: Stay): Promise<void> {
    const { sim } = this.town;
    const path = `/bookings/${stay.id}`;
    if (stay.state === 'PENDING' && sim.chance(0.25)) {
      await this.post('declineBooking', `${path}/decline`, { reason: 'a broken pipe' });
      return;
    }
    await this.#advance(stay);
    if (stay.state === 'CONFIRMED' && sim.chance(0.15))
      await this.post('undoCheckIn', `${path}/undo-check-in`);
  }

  /** A host who does not want a booking declines it, or cancels it. */
  async #turnDown({ id, state }: Stay): Promise<void> {
    const { sim } = this.town;
    const reason = sim.chance(0.5) ? 'a broken pipe' : 'the roof leaks '.repeat(8).trim();
    if (state === 'PENDING' && sim.chance(0.5)) {
      await this.post('declineBooking', `/bookings/${id}/decline`, { reason });
      return;
    }
    await this.post('cancelBooking', `/bookings/${id}/cancel`, { reason });
  }

  /** The guest did not come, or was not the one who came; sometimes it is too early or too late to say so. */
  async #correct({ id, state, payment_status, total_price }: Stay): Promise<unknown> {
    const { sim } = this.town;
    if (state === 'CHECKED_IN' || sim.chance(0.1))
      return this.post('undoCheckIn', `/bookings/${id}/undo-check-in`);
    const most = payment_status === 'PAID' ? total_price : 0;
    const refund_amount = sim.pick([0, Math.floor(most / 2), most]);
    return this.post('markNoShow', `/bookings/${id}/no-show`, sim.chance(0.4) ? {} : { refund_amount });
  }

  /** A third of the guests pay in parts, and sometimes a part is recorded for the wrong booking. */
  async #takeMoney({ id, amount_due, amount_paid }: Stay): Promise<unknown> {
    const path = `/bookings/${id}`;
    const kind = id % 9;
    if (kind === 0 && amount_paid > 0)
      return this.remove('correctPayment', `${path}/payments/1`, { reason: 'Wrong booking' });
    return kind % 3 === 0 && amount_due > 1000
      ? this.post('takePayment', `${path}/payments`, { amount: Math.floor(amount_due / 2), method: 'CASH' })
      : this.post('markBookingPaid', `${path}/mark-paid`);
  }

  /** Something beside the price, or the price itself; what is due then is asked for on a page, and credit goes back. */
  async #settle({ id, amount_due }: Stay): Promise<unknown> {
    const { sim } = this.town;
    const path = `/bookings/${id}`;
    const label = sim.pick(['Minibar', 'Laundry']);
    const amount = 10_000 * (1 + sim.whole(9));
    const kind = sim.whole(6);
    if (kind === 0)
      return this.post('addCharge', `${path}/charges`, { label, amount, quantity: 1 + sim.whole(2) });
    if (kind === 1)
      return this.remove('removeCharge', `${path}/charges/${1 + sim.whole(3)}`, { reason: 'Not his' });
    if (kind === 2)
      return this.post('addAdjustment', `${path}/adjustments`, {
        label,
        amount: -amount,
        reason: 'GOODWILL',
      });
    if (kind === 3)
      return this.post('addAdjustment', `${path}/adjustments`, { label, percent: 5, reason: 'SURCHARGE' });
    if (kind === 4 && amount_due > 0) return this.post('openDuePage', `${path}/payment-page`);
    const reply = await this.get('getFolio', `${path}/folio`);
    const { balance } = (reply?.json ?? { balance: 0 }) as { balance: number };
    return balance < 0
      ? this.post('refundBooking', `${path}/refunds`, { amount: -balance, reason: 'Credit' })
      : this.post('returnRefund', `${path}/refunds/${2 + sim.whole(3)}/returned`, {});
  }

  /** Each state has its next step. */
  async #advance(stay: Stay): Promise<unknown> {
    const path = `/bookings/${stay.id}`;
    if (stay.state === 'PENDING') return this.post('confirmBooking', `${path}/confirm`);
    if (stay.state === 'CHECKED_IN') return this.post('checkOutBooking', `${path}/check-out`);
    if (stay.state === 'CHECKED_OUT') return this.post('completeBooking', `${path}/complete`);
    const waits = stay.payment_status === 'PENDING' && stay.payment_method !== 'ONLINE_GATEWAY';
    if (waits && this.town.sim.chance(0.6)) await this.#takeMoney(stay);
    if (stay.check_in_date < this.town.today() && this.town.sim.chance(0.4)) return this.#correct(stay);
    if (stay.check_in_date <= this.town.today()) return this.post('checkInBooking', `${path}/check-in`);
    if (this.town.sim.chance(0.3))
      return this.post('sendMessage', `/chats/${stay.id}/messages`, { text: 'Welcome.' });
    return this.get('listBookingHistory', `${path}/history`);
  }
}
