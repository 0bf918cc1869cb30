import {
  balance,
  due,
  end,
  giveBack,
  isSettled,
  kept,
  priceOf,
  type Purse,
  refundAt,
  waits,
  type Asked,
  type Awaited,
  credit,
  charged,
  isCollected,
  mostOf,
} from './purse.ts';

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
  | { of: 'due'; stay: number };

/** Money that goes back because nothing was due for it: it is in no folio until the gateway has made the refund. */
interface Stray {
  payment: number;
  amount: number;
  reference: string;
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
    purse.entries.push({ kind: 'payment', amount: part, at: now, by: 'GATEWAY', payment: payment_id });
    if (purse.state === 'PENDING') purse.state = 'CONFIRMED';
    isSettled(purse);
  }
  stray(rest);
};

/** A change waits for its payment while at least as much is due for it, and the state of the stay allows it (D84). */
export const isStillAwaited = (purse: Purse, { asked, due: wanted }: Awaited): boolean => {
  const isPriceAlone = asked.nights === purse.asked.nights && asked.guests === purse.asked.guests;
  const states = isPriceAlone ? adjustable : changeable;
  const mayCome = asked.guests === purse.asked.guests || purse.state !== 'CHECKED_IN';
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
  const lacking = total + charged(purse) - kept(purse);
  const isPaidOnline =
    purse.method === 'ONLINE_GATEWAY' && (purse.status === 'PAID' || kept(purse) > 0) && !isCollected(purse);
  return isPaidOnline && total > purse.total && lacking > 0 && !chargeLater ? lacking : undefined;
};

/** A change that takes effect at once (D84, D121). */
export const changeNow = (purse: Purse, asked: Asked, { at, asCredit = false }: Asking): void => {
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
    return;
  }
  const above = Math.max(0, -balance(purse) - creditBefore);
  if (!asCredit) giveBack(purse, { amount: above, at });
  if (purse.state !== 'PENDING') purse.status = 'PAID';
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
