import {
  balance,
  due,
  dueLater,
  end,
  giveBack,
  isSettled,
  kept,
  paidIn,
  priceOf,
  type Purse,
  refundAt,
  waits,
  type Asked,
  type Awaited,
  credit,
  charged,
  endTakes,
  lacking,
  unpaid,
  isCollected,
  mostOf,
} from './purse.ts';
import { pageUntil, transferUntil } from './time-to-pay.ts';

/** When a stay can be changed, and when its price alone (D84, D121). */
export const changeable: readonly string[] = ['PENDING', 'CONFIRMED', 'CHECKED_IN'];
export const adjustable: readonly string[] = [...changeable, 'CHECKED_OUT', 'COMPLETED'];

/** A charge as the bank has it. */
interface BankCharge {
  reference: string;
  payment_id: number;
  amount: number;
}

/** What a payment of the gateway is for. */
type Role =
  | { of: 'order' }
  | { of: 'stay'; stay: number }
  | { of: 'change'; stay: number }
  | { of: 'due'; stay: number }
  | { of: 'hold'; stay: number };

/** Money that goes back because nothing was due for it: it is in no folio until the gateway has made the refund. */
interface Stray {
  payment: number;
  amount: number;
  reference: string;
}

/** Money that has come to the account of the host, as its bank has reported it (D130). */
export interface Transfer {
  reference: string;
  amount: number;
  rest: number;
  /** When it came; not after its first report. */
  at: number;
  state: 'OPEN' | 'MATCHED' | 'RETURNED';
  /** Orders that its text names. */
  named: number[];
  /** Stays that it has paid. */
  paid: number[];
}

/** All that is known of the money of an order. */
export interface Ledger {
  order: number;
  purses: Purse[];
  roles: Record<number, Role>;
  /** Charges that were reported, by their references. */
  known: string[];
  /** Payments that one of their charges has paid. */
  paid: Record<number, string>;
  strays: Stray[];
  transfers: Transfer[];
  /** Stays whose own page was opened since someone has looked. */
  opened: number[];
}

export const purseOf = (ledger: Ledger, id: number): Purse => {
  const purse = ledger.purses.find((one) => one.id === id);
  if (!purse) throw new Error(`no stay ${id}`);
  return purse;
};

/** A charge is reported (D47, D126, D127): it pays what waits for it, once; what nothing waits for goes back. */
export const settle = (ledger: Ledger, charge: BankCharge, now: number): void => {
  const { reference, payment_id, amount } = charge;
  if (ledger.known.includes(reference)) return;
  ledger.known.push(reference);
  const role = ledger.roles[payment_id] ?? chargingRole(ledger);
  const stray = (back: number): void => {
    if (back > 0) ledger.strays.push({ payment: payment_id, amount: back, reference });
  };
  if (!role || ledger.paid[payment_id] !== undefined) {
    stray(amount);
    return;
  }
  if (role.of === 'change') {
    ledger.paid[payment_id] = reference;
    const purse = purseOf(ledger, role.stay);
    const { awaited } = purse;
    const isOfPage = awaited?.payment === (ledger.roles[payment_id] ? payment_id : -1);
    if (!awaited || !isOfPage || !isStillAwaited(purse, awaited)) {
      if (isOfPage) delete purse.awaited;
      stray(amount);
      return;
    }
    change(purse, awaited.asked, now);
    purse.entries.push({ kind: 'payment', amount, at: now, by: 'GATEWAY', payment: payment_id });
    delete purse.awaited;
    delete purse.payUntil;
    delete purse.added;
    delete purse.isGivenUp;
    isSettled(purse);
    return;
  }
  const stays = ledger.purses.filter((purse) => isPaidBy(purse, role));
  const waiting = stays.filter(waits);
  const all = waiting.reduce((sum, purse) => sum + due(purse), 0);
  if (amount < all && role.of !== 'due') {
    stray(amount);
    return;
  }
  ledger.paid[payment_id] = reference;
  let rest = amount;
  for (const purse of waiting) {
    const part = Math.min(rest, due(purse));
    rest -= part;
    paidIn(purse, { amount: part, at: now, by: 'GATEWAY', payment: payment_id }, true);
    if (purse.state === 'PENDING') purse.state = 'CONFIRMED';
  }
  stray(rest);
};

/** A change waits for its payment while at least as much is due for it, and the state of the stay allows it (D84). */
export const isStillAwaited = (purse: Purse, { asked, due: wanted }: Awaited): boolean => {
  const keepsStart = asked.guests === purse.asked.guests && asked.shift === purse.asked.shift;
  const isPriceAlone = keepsStart && asked.nights === purse.asked.nights;
  const states = isPriceAlone ? adjustable : changeable;
  const mayCome = keepsStart || purse.state !== 'CHECKED_IN';
  return states.includes(purse.state) && mayCome && priceOf(asked) + charged(purse) - kept(purse) >= wanted;
};

/** A token is charged before anyone has seen the id of its payment. */
const chargingRole = ({ purses }: Ledger): Role | undefined => {
  const purse = purses.find(({ awaited }) => awaited?.payment === -1 && awaited.isCharging);
  return purse && { of: 'change', stay: purse.id };
};

const isPaidBy = (purse: Purse, role: Role): boolean =>
  role.of === 'order' ? !purse.isApart : purse.id === role.stay;

/** The price of a stay becomes another. */
const change = (purse: Purse, asked: Asked, at: number): number => {
  const difference = priceOf(asked) - purse.total;
  if (difference !== 0) purse.entries.push({ kind: 'change', amount: difference, at });
  purse.total += difference;
  purse.asked = asked;
  purse.checkIn = purse.firstCheckIn + asked.shift * 86_400_000;
  if (purse.plan) purse.plan.deposit = Math.min(purse.plan.deposit, purse.total);
  return difference;
};

/** How a change is asked for. */
export interface Asking {
  at: number;
  by: string;
  asCredit?: boolean;
  chargeLater?: boolean;
  hasToken?: boolean;
}

/** What a change that takes effect only with its payment asks the guest for; undefined: it takes effect at once. */
export const paidFirst = (purse: Purse, asked: Asked, { chargeLater }: Asking): number | undefined => {
  const total = priceOf(asked);
  const then = { ...purse, total };
  const lacking = due(then);
  // It goes to a balance that is not due yet (D129).
  if (dueLater(then) > 0) return undefined;
  const isPaidOnline =
    purse.method === 'ONLINE_GATEWAY' && (purse.status === 'PAID' || kept(purse) > 0) && !isCollected(purse);
  return isPaidOnline && total > purse.total && lacking > 0 && !chargeLater ? lacking : undefined;
};

/** A change that takes effect at once (D84, D121). */
export const changeNow = (purse: Purse, asked: Asked, asking: Asking): void => {
  const { at, asCredit = false } = asking;
  const was = structuredClone(purse);
  delete purse.awaited;
  const creditBefore = credit(purse);
  const [wasUnpaid, paidBefore] = [purse.status === 'PENDING', kept(purse)];
  const collected = isCollected(purse);
  const difference = change(purse, asked, at);
  if (collected) {
    changeCollected(purse, difference, at);
    return;
  }
  if (balance(purse) > 0 || (wasUnpaid && paidBefore === 0 && purse.total > 0)) {
    purse.status = 'PENDING';
    timeAfter(purse, was, asking);
    return;
  }
  delete purse.payUntil;
  delete purse.added;
  const above = Math.max(0, -balance(purse) - creditBefore);
  if (!asCredit) giveBack(purse, { amount: above, at });
  if (purse.state !== 'PENDING') purse.status = 'PAID';
};

/** Whether a change adds to a paid stay what a guest or partner has to transfer in time (D147). */
export const opensTime = (was: Purse, total: number, by: string): boolean =>
  was.method === 'BANK_TRANSFER' &&
  was.state === 'CONFIRMED' &&
  by !== 'owner' &&
  total > was.total &&
  !endTakes(was) &&
  lacking(was, total) > 0;

/** Until when a changed stay is to be paid, and what it was before all that is unpaid. */
const timeAfter = (purse: Purse, was: Purse, { at, by }: Asking): void => {
  const isHost = by === 'owner';
  delete purse.added;
  delete purse.payUntil;
  let until: number | undefined;
  if (opensTime(was, purse.total, by)) until = transferUntil(purse, at);
  else if (was.payUntil !== undefined && was.status === 'PENDING')
    until = changedTime(purse, was.payUntil, at);
  const price = was.added?.price ?? was.total;
  const isTimed = until !== undefined || dueLater(purse) > 0;
  if (purse.state === 'CONFIRMED' && purse.total > price && (isTimed || !endTakes(was))) {
    const earlier = was.added?.asked ?? (purse.total > was.total ? was.asked : undefined);
    const isBack = isTimed && !isHost && earlier !== undefined && priceOf(earlier) < purse.total;
    purse.added = { price, ...(isBack ? { asked: earlier } : {}) };
  }
  if (until !== undefined && endTakes(purse)) purse.payUntil = until;
};

/** A change that was not paid in time is given up (D147): the stay is as before, unless that is past. */
export const giveUp = (purse: Purse, at: number): void => {
  const { added } = purse;
  if (!added?.asked) return;
  const { shift, nights } = added.asked;
  const begins = purse.firstCheckIn + shift * dayMs;
  const isPast = at >= begins + nights * dayMs - 2 * (dayMs / 24);
  delete purse.payUntil;
  if (isPast || (shift !== purse.asked.shift && at >= begins)) {
    purse.added = { price: added.price };
    return;
  }
  delete purse.awaited;
  delete purse.added;
  const before = credit(purse);
  change(purse, added.asked, at);
  giveBack(purse, { amount: Math.max(0, -balance(purse) - before), at });
  purse.status = unpaid(purse) > 0 ? 'PENDING' : 'PAID';
  purse.isGivenUp = true;
  purse.gaveUp = true;
};

const dayMs = 86_400_000;

/** The time to pay does not end after check-in, nor later than before (D84). */
const changedTime = ({ checkIn, method }: Purse, until: number, now: number): number => {
  if (until <= checkIn) return until;
  return Math.min(
    until,
    method === 'BANK_TRANSFER' ? transferUntil({ checkIn }, now) : pageUntil(now, Math.max(checkIn, now)),
  );
};

/** What a partner has collected differs: the partner collects or refunds it (D127). */
const changeCollected = (purse: Purse, difference: number, at: number): void => {
  const more = Math.min(Math.max(0, difference), due(purse));
  if (more > 0)
    purse.entries.push({ kind: 'payment', amount: more, at, by: 'PARTNER', method: purse.method });
  const isTheirs = ({ by }: { by?: string }): boolean => by === 'PARTNER';
  const less = Math.min(Math.max(0, -difference), mostOf(purse, isTheirs));
  if (less > 0) giveBack(purse, { amount: less, at, from: isTheirs });
  isSettled(purse);
};

/** Cancels or gives up the open stays. */
export const cancel = (
  purses: readonly Purse[],
  { at, isByGuest, state = 'CANCELLED' }: { at: number; isByGuest: boolean; state?: string },
): void => {
  for (const purse of purses) {
    delete purse.awaited;
    end(purse, state, refundAt(purse, at, isByGuest), at);
  }
};
