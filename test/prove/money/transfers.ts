import { extendPayment } from '../../../shared/domain/booking/index.ts';
import { assignTransfer, listTransfers, returnTransfer } from '../../../shared/domain/transfer/index.ts';
import type { BankTransfer } from '../../../shared/domain/transfer/bank-transfer.schema.ts';
import { transferStates } from '../../../shared/domain/transfer/bank-transfer.schema.ts';
import type { UserCaller } from '../../../shared/platform/auth.ts';
import type { Context } from '../../../shared/platform/context.ts';
import { type Act, always, amountLike, type Draws, pagesOpen, type Scene, stayOf } from './act.ts';
import { partsOf, staysOf } from './desk.ts';
import { hostAccount, type Incoming } from './host-bank.ts';
import type { Ledger, Transfer } from './ledger.ts';
import { asBooked, due, isLapsed, isUnpaid, paidIn, type Purse, unpaid, waits } from './purse.ts';
import type { World } from './world.ts';

const hour = 3_600_000;
const minute = 60_000;

/** What guests and banks make of a reference; the last two name no order. */
const texts: readonly ((reference: string) => string)[] = [
  (reference) => reference,
  (reference) => `MBVCB.3278907687.${reference}.CT tu 0451000 toi TRAN THI LINH`,
  (reference) => `ck tien phong ${reference.slice(0, 5)} ${reference.slice(5).toLowerCase()} cam on`,
  (reference) => `tien phong ${reference.slice(0, -1)}`,
  () => 'tien phong',
];

/** All transfers that the host is shown. */
export const listedTransfers = async (owner: Context<UserCaller>): Promise<BankTransfer[]> => {
  const pages = await Promise.all(
    transferStates.map((state) => listTransfers(owner, state, { page: 1, limit: 100 })),
  );
  return pages.flatMap(({ items }) => items);
};

/** Someone transfers money to the host: mostly a guest what is shown, often with the reference. */
export const transferMoney = (world: World, ledger: Ledger, draw: Draws): void => {
  const waiting = ledger.purses.filter((purse) => isUnpaid(purse) || isLapsed(purse)).map(asBooked);
  const sumOf = draw.pick([
    due,
    due,
    unpaid,
    ({ total }: Purse) => total,
    ({ plan, total }: Purse) => plan?.deposit ?? total,
  ]);
  const wanted = waiting.reduce((sum, one) => sum + sumOf(one), 0);
  const isLate = ledger.purses.some(isLapsed) && draw.chance(60);
  const amount = isLate && wanted > 0 ? wanted : amountLike(draw, wanted);
  const place = draw.chance(80) ? draw.below(3) : 3 + draw.below(2);
  const { reference = '' } = world.hostBank;
  const text = texts[reference === '' ? 4 : place] ?? String;
  // Banks say full seconds, and their clocks may be ahead.
  const at =
    Math.floor((world.now + (draw.chance(10) ? 5 * minute : -draw.below(90) * minute)) / 1000) * 1000;
  world.hostBank.take({
    ...{ amount, at, text: text(reference) },
    isNamed: reference !== '' && place < 3,
    account: draw.chance(95) ? hostAccount : '19036',
    isOut: draw.chance(4),
  });
};

/** The report of a transfer, once for each of the bank's own: what is due of the order is paid, then what is due later. */
const take = (ledger: Ledger, given: Incoming, now: number): void => {
  const { reference, amount, at, isNamed, account, isOut } = given;
  const isKnown = ledger.transfers.some((one) => one.reference === reference && one.amount === amount);
  if (isKnown || isOut || account !== hostAccount) return;
  const payable = ledger.purses.filter(
    (purse) =>
      isNamed &&
      purse.method === 'BANK_TRANSFER' &&
      isUnpaid(purse) &&
      purse.state !== 'PENDING' &&
      !purse.awaited,
  );
  const transfer: Transfer = {
    ...{ reference, amount, rest: amount, at: Math.min(at, now), state: 'OPEN', paid: [] },
    named: isNamed ? [ledger.order] : [],
  };
  ledger.transfers.push(transfer);
  const lapsed = isNamed ? ledger.purses.filter(isLapsed) : [];
  const isByItself = lapsed.every(({ endedAt = 0 }) => transfer.at <= endedAt + 7 * 24 * hour);
  if (isByItself && restore(ledger, transfer, [...lapsed, ...payable], now)) return;
  use(transfer, payable, true);
};

/** All stays are booked again and paid, before the check-in and by what was due at least; else none is. */
const restore = (ledger: Ledger, transfer: Transfer, stays: readonly Purse[], now: number): boolean => {
  const lapsed = stays.filter(isLapsed);
  const wanted = stays.reduce((sum, purse) => sum + due(asBooked(purse)), 0);
  if (lapsed.length === 0 || transfer.rest < wanted || lapsed.some(({ checkIn }) => now >= checkIn))
    return false;
  for (const purse of lapsed) {
    purse.state = 'CONFIRMED';
    delete purse.isLapsed;
    purse.isRestored = true;
    delete purse.endedAt;
    delete purse.isLapse;
    delete purse.payUntil;
    purse.entries = purse.entries.filter(({ kind }) => kind !== 'fee');
  }
  use(
    transfer,
    ledger.purses.filter((purse) => stays.includes(purse)),
    true,
  );
  return true;
};

const use = (transfer: Transfer, payable: readonly Purse[], keepsTime: boolean): void => {
  for (const [purse, amount] of partsOf(payable, transfer.rest)) {
    if (amount === 0) continue;
    transfer.rest -= amount;
    transfer.paid.push(purse.id);
    paidIn(purse, { amount, at: transfer.at, by: 'HOST', method: 'BANK_TRANSFER' }, keepsTime);
  }
  if (transfer.rest === 0) transfer.state = 'MATCHED';
};

/** A report of the bank arrives, and perhaps comes again. */
export const incomingAct = (world: World, draw: Draws, isKept: boolean): Act | undefined => {
  const { incoming } = world.hostBank;
  const given = draw.chance(60) ? incoming[0] : draw.pick(incoming);
  if (!given) return undefined;
  if (!isKept) incoming.splice(incoming.indexOf(given), 1);
  return {
    text: `bank reports ${given.amount} as ${given.reference}, "${given.text}"`,
    run: ({ deps }) => world.hostBank.report(given, deps),
    effects: [always((ledger) => take(ledger, given, world.now))],
  };
};

const pickTransfer = ({ draw, ledger: { transfers } }: Scene): Transfer | undefined => {
  const open = transfers.filter(({ state }) => state === 'OPEN');
  return draw.pick(open.length > 0 && draw.chance(85) ? open : transfers);
};

const sameOf = ({ transfers }: Ledger, { reference, amount }: Transfer): Transfer | undefined =>
  transfers.find((one) => one.reference === reference && one.amount === amount && one.state === 'OPEN');

const nothing = (): Act => ({
  text: 'has no transfer',
  run: async () => undefined,
  effects: [always(() => undefined)],
});

const assign = (scene: Scene): Act => {
  const { draw, ledger, purse, world } = scene;
  const transfer = pickTransfer(scene);
  if (!transfer) return nothing();
  const which = draw.chance(40) ? ledger.order : purse.id;
  const isOpen = pagesOpen(scene);
  return {
    text: `assigns ${transfer.reference} to ${which}`,
    run: ({ owner }) => assignTransfer(owner, world.hostBank.idOf(transfer), which),
    effects: [
      (now) => {
        const found = sameOf(now, transfer);
        const waiting = staysOf(now, which).filter((one) => isUnpaid(one) || isLapsed(one));
        if (!found || waiting.length === 0) return false;
        if (waiting.some(({ state, awaited }) => state === 'PENDING' || awaited)) return false;
        if (waiting.some((one) => isOpen(now, one))) return false;
        if (waiting.some(isLapsed)) return restore(now, found, waiting, world.now);
        use(found, waiting, false);
        return true;
      },
    ],
  };
};

const sendBack = (scene: Scene): Act => {
  const transfer = pickTransfer(scene);
  if (!transfer) return nothing();
  return {
    text: `sends the rest of ${transfer.reference} back`,
    run: ({ owner }) => returnTransfer(owner, scene.world.hostBank.idOf(transfer), 'Sent back'),
    effects: [
      (now) => {
        const found = sameOf(now, transfer);
        if (found) found.state = 'RETURNED';
        return found !== undefined;
      },
    ],
  };
};

const extend = ({ draw, purse }: Scene): Act => {
  const hours = 1 + draw.below(168);
  return {
    text: `extends the time of ${purse.id} by ${hours} hours`,
    run: ({ owner }) => extendPayment(owner, purse.id, hours),
    effects: [
      stayOf(purse.id, (one) => {
        const { method, payUntil, checkIn } = one;
        if (method !== 'BANK_TRANSFER' || payUntil === undefined || !waits(one)) return false;
        const until = Math.min(payUntil + hours * hour, checkIn);
        if (until <= payUntil) return false;
        one.payUntil = until;
        return true;
      }),
    ],
  };
};

export const transferActs = { assign, sendBack, extend } satisfies Record<string, (scene: Scene) => Act>;
