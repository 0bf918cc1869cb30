import type { Booked } from '../town.ts';
import type { Actor } from './actor.ts';
import { payByTransfer, type ShownTransfer } from '../transfers/payer.ts';
import { changeStay } from './stay-changes.ts';

/** A guest who has booked. */
interface Booker extends Actor {
  /** Whether the gateway charges tokens. */
  readonly takesTokens: boolean;
  pay(url: string, booked: Booked): Promise<void>;
  cancel(booked: Booked, stay: number): Promise<void>;
}

type Deed = (guest: Booker, booked: Booked) => Promise<unknown>;

const anyStay = ({ town: { sim } }: Booker, { id, stays }: Booked): number =>
  sim.chance(0.6) ? id : sim.pick(stays).id;

interface Payable {
  payment_url?: string | null;
  transfer?: ShownTransfer | null;
}

const readAndPay: Deed = async (guest, booked) => {
  const reply = await guest.get('getBooking', `/bookings/${anyStay(guest, booked)}`);
  const { payment_url: url, transfer } = (reply?.status === 200 ? reply.json : {}) as Payable;
  payByTransfer(guest.town, transfer);
  if (!url) return;
  if (!booked.pages.includes(url)) booked.pages.push(url);
  await startPaying(guest, url, booked);
};

const startPaying = async (guest: Booker, url: string, booked: Booked): Promise<void> => {
  void guest.pay(url, booked);
};

/** Pays on every page that was ever opened, in several windows, as far as the bank lets. */
const payInEveryWindow: Deed = async (guest, booked) => {
  for (const url of booked.pages) void guest.pay(url, booked);
};

const cancel: Deed = async (guest, booked) => {
  const stay = anyStay(guest, booked);
  if (guest.town.sim.chance(0.3)) await guest.get('getCancellation', `/bookings/${stay}/cancellation`);
  await guest.cancel(booked, stay);
};

/** Cancels every stay of an order by itself, all at the same moment. */
const cancelInParts: Deed = async (guest, booked) => {
  const { sim } = guest.town;
  const parts = booked.stays.filter(() => sim.chance(0.85));
  await Promise.all(parts.map(({ id }) => guest.cancel(booked, id)));
};

/** Wants the stay otherwise; what was not paid yet is paid on another page then, and what it costs more on one of its own. */
const change: Deed = async (guest, booked) => {
  const stay = guest.town.sim.pick(booked.stays);
  const changed = await changeStay(guest, stay.id, guest);
  if (!changed) return;
  if (changed.change.payment_url) {
    await startPaying(guest, changed.change.payment_url, booked);
    return;
  }
  stay.listing_id = changed.listing_id;
  const { payment_url: url } = changed;
  if (!url || booked.pages.includes(url)) return;
  booked.pages.push(url);
  await startPaying(guest, url, booked);
};

const write: Deed = (guest, { stays: [first] }) =>
  guest.post('sendMessage', `/chats/${first!.id}/messages`, { text: 'When may we come?' });

const review: Deed = async (guest, booked) => {
  const { sim, reviews } = guest.town;
  const stay = sim.pick(booked.stays);
  const body = { rating: 1 + sim.whole(5), ...(sim.chance(0.5) ? { comment: 'A quiet place.' } : {}) };
  const reply = await guest.post('createReview', `/bookings/${stay.id}/review`, body);
  if (reply?.status === 201)
    reviews.push({ id: (reply.json as { id: number }).id, home: guest.town.home(stay.listing_id) });
};

const deeds: readonly (readonly [weight: number, deed: Deed])[] = [
  [25, readAndPay],
  [3, (guest, { id }) => guest.get('getTransferCode', `/bookings/${id}/transfer-code`)],
  [12, payInEveryWindow],
  [18, cancel],
  [15, cancelInParts],
  [35, change],
  [10, write],
  [5, (guest, { stays: [first] }) => guest.get('listMessages', `/chats/${first!.id}/messages`)],
  [3, (guest) => guest.get('listThreads', '/chats', { as: 'guest' })],
  [14, review],
  [5, (guest) => guest.get('listMyBookings', '/bookings/my')],
];

/** What a guest does about a booking. */
export const tendStay = async (guest: Booker, booked: Booked): Promise<void> => {
  await guest.town.sim.weighted(deeds)(guest, booked);
};
