import type { Bank } from '../bank.ts';
import type { Credential } from '../client.ts';
import { linkIn, stayIn } from '../post.ts';
import type { Town } from '../town.ts';
import { payByTransfer, type ShownTransfer } from '../transfers/payer.ts';
import { Actor } from './actor.ts';
import { changeStay } from './stay-changes.ts';

/** The last digits of the telephone numbers of guests who book with partners, by telephone, and themselves. */
export const phoneDigits = { partner: '0000', host: '0001', guest: '4567' };

/** A guest with the link to a stay alone. */
class LinkGuest extends Actor {}

type Deed = (guest: LinkGuest) => Promise<unknown>;

/** Guests without an account: mails have the links to their stays, or partners and hosts hand them over; some are replaced meanwhile. */
export class LinkGuests {
  readonly #town: Town;
  readonly #bank: Bank;
  readonly #links: LinkGuest[] = [];
  readonly #deeds: readonly (readonly [weight: number, deed: Deed])[];

  constructor(town: Town, bank: Bank) {
    this.#town = town;
    this.#bank = bank;
    const { sim } = town;
    this.#deeds = [
      [20, (guest) => this.#read(guest)],
      [25, (guest) => changeStay(guest, guest.who.stay!)],
      [10, (guest) => guest.post('cancelGuestBooking', '/guest/cancel', { reason: 'another plan' })],
      [5, (guest) => guest.get('getGuestCancellation', '/guest/cancellation')],
      [5, (guest) => guest.get('listGuestMessages', '/guest/messages')],
      [5, (guest) => guest.post('sendGuestMessage', '/guest/messages', { text: 'Is there a kettle?' })],
      [15, (guest) => this.#pay(guest)],
      [5, (guest) => guest.get('getGuestTransferCode', '/guest/transfer-code')],
      [6, (guest) => guest.post('reviewGuestBooking', '/guest/review', { rating: 1 + sim.whole(5) })],
      [
        10,
        (guest) =>
          guest.inquire('readGuestAccess', '/guest/access-info', {
            phone_digits: sim.pick([phoneDigits.partner, phoneDigits.host, '1234']),
          }),
      ],
    ];
  }

  async live(): Promise<void> {
    const { sim } = this.#town;
    while (await this.#town.think(this.#town.isSlow ? 1 : 4)) {
      const guest = await this.#someone();
      if (!guest) continue;
      // In another window too.
      await Promise.all(sim.chance(0.15) ? [this.#act(guest), this.#act(guest)] : [this.#act(guest)]);
    }
  }

  /** Who has a link, perhaps one that was replaced since, or gets one now. */
  async #someone(): Promise<LinkGuest | undefined> {
    const { sim, letters, isSlow } = this.#town;
    const last = this.#links.slice(-8);
    if (last.length > 0 && sim.chance(0.6)) return sim.pick(last);
    if (!isSlow || letters.length === 0 || sim.chance(0.5)) return this.#handedOver();
    const letter = sim.pick(letters.slice(-12));
    return this.#holderOf(linkIn(letter), stayIn(letter));
  }

  /** Who is handed a link by the partner or the host of a booking. */
  async #handedOver(): Promise<LinkGuest | undefined> {
    const { sim, bookings } = this.#town;
    const handed = bookings.filter(({ kind }) => kind !== 'guest').slice(-8);
    if (handed.length === 0) return undefined;
    const { by, kind, stays } = sim.pick(handed);
    const stay = stays[0]!.id;
    const [verb, path] =
      kind === 'partner'
        ? ['getExternalBooking', `/external/bookings/${stay}`]
        : ['getBooking', `/bookings/${stay}`];
    const reply = await new LinkGuest(this.#town, by).get(verb, path);
    const { guest_url: url } = (reply?.status === 200 ? reply.json : {}) as { guest_url?: string | null };
    return this.#holderOf(url?.split('#')[1], stay);
  }

  #holderOf(link: string | undefined, stay: number): LinkGuest | undefined {
    if (link === undefined) return undefined;
    const known = this.#links.find(({ who }) => who.link === link);
    if (known) return known;
    const who: Credential = { name: `link-${this.#links.length}`, link, stay };
    const guest = new LinkGuest(this.#town, who);
    this.#links.push(guest);
    return guest;
  }

  async #act(guest: LinkGuest): Promise<void> {
    await this.#town.sim.weighted(this.#deeds)(guest);
  }

  async #read(guest: LinkGuest): Promise<void> {
    const reply = await guest.get('getGuestBooking', '/guest/booking');
    const { transfer } = (reply?.status === 200 ? reply.json : {}) as { transfer?: ShownTransfer | null };
    payByTransfer(this.#town, transfer);
  }

  async #pay(guest: LinkGuest): Promise<void> {
    const reply = await guest.post('payGuestBooking', '/guest/pay');
    const { payment_url: url } = (reply?.status === 201 ? reply.json : {}) as { payment_url?: string };
    if (url === undefined) return;
    await this.#town.pause(6);
    this.#bank.decide(url, this.#town.sim.chance(0.7));
  }
}
