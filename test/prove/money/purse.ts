/**
 * The money of one stay as docs/decisions.md says it (D84, D121, D126 to D128, D131), in whole đồng. It shares nothing with the
 * folio of the product: what a host, a guest and the gateway did is entered here a second time.
 */

export type By = 'HOST' | 'PARTNER' | 'GATEWAY' | 'PLATFORM';

/** One movement, with its number by its place from 1. */
export interface Entry {
  kind:
    | ('payment' | 'correction' | 'refund' | 'change' | 'charge' | 'fee')
    | ('deposit_taken' | 'deposit_returned' | 'deposit_kept');
  amount: number;
  at: number;
  /** Whose part it takes back. */
  of?: number;
  by?: By;
  method?: string | null;
  /** Of the gateway: whose payment it is. */
  payment?: number;
  /** The gateway was not seen to make it yet. */
  isDue?: boolean;
  /** The host has yet to hand it over. */
  isToReturn?: boolean;
  /** It came when nothing was due, and is posted with its refund. */
  isStray?: boolean;
  /** It came with the booking, which has no event of it. */
  isFirst?: boolean;
}

export interface Adjustment {
  amount?: number;
  percent?: number;
  reason: string;
  /** Which one it is. */
  key: string;
}

/** A step of the terms. */
export interface Step {
  until_hours_before: number;
  refund_percent: number;
  keep_nights: number;
}

/** How the price falls due in two parts (D129). */
interface Plan {
  deposit: number;
  /** Before check-in; 0: on arrival. */
  hours: number;
  isDue: boolean;
}

/** What a stay asks for; its price follows. */
export interface Asked {
  /** Nights by which it begins later than it was booked. */
  shift: number;
  nights: number;
  guests: number;
  adjustments: Adjustment[];
}

/** A change that waits for its payment. */
export interface Awaited {
  payment: number;
  asked: Asked;
  due: number;
  /** Of its page. */
  endsAt?: number;
  by: string;
  isCharging: boolean;
}

/** A security deposit on a card: its page, or what is authorised (D131). */
export interface Hold {
  amount: number;
  /** Of its page. */
  endsAt: number;
  isAuthorised: boolean;
  payment?: number;
  /** It came when it was not wanted: the gateway has released it, perhaps before the stay says so. */
  isGivenUp?: true;
  /** What of it the host keeps, once that is decided; 0: it is released. */
  captures?: number;
}

export interface Purse {
  id: number;
  listing: number;
  state: string;
  status: 'PENDING' | 'PAID' | 'REFUNDED';
  method: string;
  /** Paid on a page or by an authorisation of its own. */
  isApart: boolean;
  isAuthorised: boolean;
  asked: Asked;
  total: number;
  /** What the steps that keep nights keep, frozen with the price. */
  checkIn: number;
  /** From which its terms count back (D84). */
  firstCheckIn: number;
  terms: readonly Step[];
  deposit: number;
  plan?: Plan;
  /** After that it is cancelled, or its change given up, while some of the price is due. */
  payUntil?: number;
  /** The price before what changes have added, which is unpaid; and what the stay is again if it stays so (D147). */
  added?: { price: number; asked?: Asked };
  /** A change was given up; and no money has come since. */
  gaveUp?: true;
  isGivenUp?: true;
  /** What has fallen due of its plan. */
  called: number;
  bookedAt: number;
  endedAt?: number;
  /** It was not paid in time. */
  isLapse?: boolean;
  /** It was cancelled because no transfer had come in time (D130). */
  isLapsed?: true;
  /** One has booked it again. */
  isRestored?: true;
  awaited?: Awaited;
  hold?: Hold;
  duePage?: number;
  entries: Entry[];
  /** How many of them were compared: what was posted is never moved. */
  looked?: number;
}

const nightly = 1_000_000;
const cleaning = 200_000;
const extraGuest = 100_000;

/** The nearest whole number, a half away from 0. */
export const rounded = (over: number, by: number): number =>
  Math.sign(over) * Math.floor((2 * Math.abs(over) + by) / (2 * by));

const basisOf = ({ nights, guests }: Asked): number =>
  nights * nightly + cleaning + Math.max(0, guests - 2) * extraGuest;

const adjustmentOf = (asked: Asked, { amount, percent = 0 }: Adjustment): number =>
  amount ?? rounded(basisOf(asked) * percent, 100);

export const priceOf = (asked: Asked): number =>
  asked.adjustments.reduce((sum, one) => sum + adjustmentOf(asked, one), basisOf(asked));

/** What a stay asks for at the price of before (D121). */
export const atPrice = (asked: Asked, price: number, key: string): Asked => {
  const others = asked.adjustments.filter(({ reason }) => reason !== 'RELOCATION');
  const kept = { ...asked, adjustments: others.length < 10 ? others : [] };
  const amount = price - priceOf(kept);
  return amount === 0
    ? kept
    : { ...kept, adjustments: [...kept.adjustments, { amount, reason: 'RELOCATION', key }] };
};

const sumOf = ({ entries }: Purse, ...kinds: Entry['kind'][]): number =>
  entries.reduce((sum, { kind, amount }) => (kinds.includes(kind) ? sum + amount : sum), 0);

export const fell = ({ state }: Purse): boolean => state === 'CANCELLED' || state === 'NO_SHOW';

export const received = (purse: Purse): number => sumOf(purse, 'payment', 'correction');

/** Whether a transfer that comes late may book it again: no money came for it, and nothing but its deposit was moved since. */
export const isLapsed = (purse: Purse): boolean =>
  purse.isLapsed === true &&
  received(purse) === 0 &&
  (purse.entries.length === 0 ||
    purse.entries.findLast(({ kind }) => !kind.startsWith('deposit_'))?.kind === 'fee');

/** A stay as it was before it lapsed. */
export const asBooked = (purse: Purse): Purse =>
  isLapsed(purse)
    ? { ...purse, state: 'CONFIRMED', entries: purse.entries.filter(({ kind }) => kind !== 'fee') }
    : purse;

export const charged = (purse: Purse): number => sumOf(purse, 'charge');

/** What was paid and does not go back. */
export const kept = (purse: Purse): number => received(purse) - sumOf(purse, 'refund');

const hasFee = ({ entries }: Purse): boolean => entries.some(({ kind }) => kind === 'fee');

/** Above 0: due; below: credit. Of a stay that fell through unpaid nothing is. */
export const balance = (purse: Purse): number => {
  if (hasFee(purse)) return sumOf(purse, 'fee') - kept(purse);
  return fell(purse) ? 0 : purse.total + charged(purse) - kept(purse);
};

/** What is to be paid, now or later. */
export const unpaid = (purse: Purse): number => Math.max(0, balance(purse));

/** What of the price its plan leaves for later: what was due when money came was paid first, then of the rest. */
export const dueLater = (purse: Purse): number => {
  const { plan, total, entries } = purse;
  if (!plan || plan.isDue || fell(purse) || hasFee(purse)) return 0;
  let now = Math.min(plan.deposit, total);
  let later = total - now;
  entries.forEach(({ kind, of }, at) => {
    const amount = left(purse, at + 1);
    if (kind === 'charge' && of === undefined) now += amount;
    if (kind !== 'payment') return;
    const first = Math.min(now, amount);
    now -= first;
    later -= amount - first;
  });
  return Math.max(0, Math.min(later, unpaid(purse)));
};

export const due = (purse: Purse): number => unpaid(purse) - dueLater(purse);

/** What of a price is to be paid by now, charges left aside. */
export const lacking = (purse: Purse, price = purse.total): number => {
  const { plan } = purse;
  const now = plan && !plan.isDue ? Math.min(plan.deposit, price) : price;
  return Math.max(0, now - kept(purse));
};

/** What the end of its time takes (D147). */
export const endTakes = (purse: Purse): 'stay' | 'change' | undefined => {
  if (lacking(purse) === 0) return undefined;
  if (!purse.added || lacking(purse, purse.added.price) > 0) return 'stay';
  return purse.added.asked && 'change';
};

/** When the balance of its plan falls due. */
export const balanceDueAt = ({ plan, checkIn }: Purse): number =>
  plan && !plan.isDue ? checkIn - plan.hours * 3_600_000 : Infinity;

export const credit = (purse: Purse): number => Math.max(0, -balance(purse));

/** Refunds are counted when they are made. */
export const refunded = ({ entries }: Purse): number =>
  entries.reduce((sum, { kind, amount, isDue }) => (kind === 'refund' && !isDue ? sum + amount : sum), 0);

export const toReturn = ({ entries }: Purse): number =>
  entries.reduce((sum, { amount, isToReturn }) => (isToReturn ? sum + amount : sum), 0);

export const isUnpaid = (purse: Purse): boolean => !fell(purse) && purse.status === 'PENDING';

/** Whether it is to be paid now. */
export const waits = (purse: Purse): boolean => isUnpaid(purse) && (due(purse) > 0 || unpaid(purse) === 0);

/** A partner has collected the price. */
export const isCollected = ({ entries }: Purse): boolean =>
  entries.some(({ kind, by }) => kind === 'payment' && by === 'PARTNER');

export const isSecured = (purse: Purse): boolean =>
  fell(purse) ||
  purse.status === 'PAID' ||
  (purse.state === 'PENDING' ? purse.isAuthorised : isDepositPaid(purse));

const isDepositPaid = (purse: Purse): boolean => {
  const { total, plan } = purse;
  if (plan && plan.deposit === 0 && kept(purse) === 0) return total === 0;
  return kept(purse) >= Math.min(total, plan?.deposit ?? total);
};

/** What is left of a payment, or of a charge that was not taken out. */
export const left = ({ entries }: Purse, id: number): number =>
  entries.reduce(
    (rest, { kind, amount, of }) => {
      if (of !== id) return rest;
      return kind === 'refund' ? rest - amount : rest + amount;
    },
    entries[id - 1]?.amount ?? 0,
  );

export const isSettled = (purse: Purse): void => {
  purse.status = unpaid(purse) > 0 ? 'PENDING' : 'PAID';
  if (!endTakes(purse)) delete purse.payUntil;
};

/** Money came: a part that came by itself leaves the time to pay. */
export const paidIn = (purse: Purse, entry: Omit<Entry, 'kind'>, keepsTime: boolean): void => {
  purse.entries.push({ kind: 'payment', ...entry });
  if (unpaid(purse) === 0) purse.status = 'PAID';
  if (!keepsTime || !endTakes(purse)) delete purse.payUntil;
  if (kept(purse) >= purse.total) delete purse.added;
  delete purse.isGivenUp;
};

/** A refund of payments, and who makes it. */
interface Back {
  amount: number;
  at: number;
  /** Of which payments, by their numbers. */
  from?: (entry: Entry, id: number) => boolean;
  /** The host hands it over so. */
  method?: string | undefined;
  isReturned?: boolean;
}

/** The newest payment goes back first, as it came. */
export const giveBack = (purse: Purse, { amount, at, from = () => true, method, isReturned }: Back): void => {
  let rest = amount;
  for (let id = purse.entries.length; id > 0; id--) {
    const paid = purse.entries[id - 1];
    if (paid?.kind !== 'payment' || !from(paid, id)) continue;
    const part = Math.min(rest, left(purse, id));
    rest -= part;
    if (part <= 0) continue;
    const entry: Entry = { kind: 'refund', amount: part, at, of: id };
    if (paid.by === 'GATEWAY' && method === undefined) entry.isDue = true;
    else if (!isReturned && !(paid.by === 'PARTNER' && method === undefined)) entry.isToReturn = true;
    if (method !== undefined) entry.method = method;
    if (paid.by === 'GATEWAY' && method === undefined && paid.payment !== undefined)
      entry.payment = paid.payment;
    purse.entries.push(entry);
  }
};

/** How much of a refund may be of these payments. */
export const mostOf = (purse: Purse, from: (entry: Entry, id: number) => boolean): number =>
  purse.entries.reduce(
    (sum, entry, at) => (entry.kind === 'payment' && from(entry, at + 1) ? sum + left(purse, at + 1) : sum),
    0,
  );

/** A stay that falls through is REFUNDED when all that came in has gone back. */
export const isEnded = (purse: Purse): void => {
  const all = received(purse);
  if (fell(purse) && all > 0 && refunded(purse) === all) purse.status = 'REFUNDED';
};

/** What a guest's cancellation costs at an instant (D128). */
const feeAt = (purse: Purse, now: number): number => {
  const { total, terms, firstCheckIn, asked } = purse;
  const step = terms.find(({ until_hours_before: hours }) => now <= firstCheckIn - hours * 3_600_000);
  if (!step) return total;
  const nights = Math.min(step.keep_nights, asked.nights) * nightly;
  const firstNights = Math.min(total, rounded(nights * total, basisOf(asked)));
  return rounded(100 * total - (total - firstNights) * step.refund_percent, 100);
};

export const refundAt = (purse: Purse, now: number, isByGuest: boolean): number =>
  isByGuest ? Math.max(0, kept(purse) - feeAt(purse, now)) : kept(purse);

/** Falls through with a refund. */
export const end = (purse: Purse, state: string, refund: number, at: number): void => {
  if (purse.entries.length > 0) {
    purse.entries.push({ kind: 'fee', amount: kept(purse) - refund, at });
    giveBack(purse, { amount: refund, at });
  }
  purse.state = state;
  purse.endedAt = at;
  isEnded(purse);
};

/** What a refund is answered with: of a stay whose price a partner collected, what the partner has to refund. */
export const announced = (purse: Purse, refund: number): number => {
  if (!isCollected(purse)) return refund;
  const copy = structuredClone(purse);
  giveBack(copy, { amount: refund, at: 0 });
  return copy.entries
    .slice(purse.entries.length)
    .reduce((sum, { of = 0, amount }) => (copy.entries[of - 1]?.by === 'PARTNER' ? sum + amount : sum), 0);
};

/** What is held, was kept and was returned of the security deposit (D131). */
export const depositOf = (
  purse: Purse,
): { held: number; authorised: number; kept: number; returned: number } => {
  const [keptPart, returned] = [sumOf(purse, 'deposit_kept'), sumOf(purse, 'deposit_returned')];
  const authorised = purse.hold?.isAuthorised ? purse.hold.amount : 0;
  return { held: sumOf(purse, 'deposit_taken') - returned - keptPart, authorised, kept: keptPart, returned };
};

/** What the host has in hand of the deposit of a guest who has left, or does not come. */
export const depositLeft = (purse: Purse): number => {
  const { held, authorised } = depositOf(purse);
  return fell(purse) || ['CHECKED_OUT', 'COMPLETED'].includes(purse.state) ? held - authorised : 0;
};
