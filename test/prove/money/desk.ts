import {
  addCharge,
  changeDeposit,
  correctPayment,
  markPaid,
  refundBooking,
  removeCharge,
  returnRefund,
  takePayment,
} from '../../../shared/domain/booking/index.ts';
import { openDuePage } from '../../../shared/domain/payment/index.ts';
import { type Act, amountLike, pagesOpen, type Scene, stayOf } from './act.ts';
import type { Ledger } from './ledger.ts';
import { depositLeft, takesDeposit } from './held.ts';
import {
  credit,
  depositOf,
  due,
  dueLater,
  type Entry,
  fell,
  endTakes,
  giveBack,
  isEnded,
  isSettled,
  isUnpaid,
  kept,
  left,
  mostOf,
  paidIn,
  type Purse,
  unpaid,
  waits,
} from './purse.ts';
import { transferUntil } from './time-to-pay.ts';

const methods = ['CASH', 'BANK_TRANSFER', 'CARD_ON_SITE', 'OTHER'] as const;
const day = 86_400_000;

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);

/** A booking, or the whole order. */
const whichOf = ({ draw, ledger, purse }: Scene): number => (draw.chance(40) ? ledger.order : purse.id);

export const staysOf = (ledger: Ledger, which: number): Purse[] =>
  ledger.purses.filter(({ id }) => which === ledger.order || id === which);

const payAtDesk = (scene: Scene): Act => {
  const { draw, world } = scene;
  const which = whichOf(scene);
  const wanted = sum(
    staysOf(scene.ledger, which)
      .filter(isUnpaid)
      .map(draw.chance(50) ? due : unpaid),
  );
  const amount = amountLike(draw, wanted);
  const [overpaid, method] = [draw.chance(40), draw.pick(methods)];
  const received = draw.chance(20) ? world.now - draw.below(20) * day : undefined;
  const isOpen = pagesOpen(scene);
  const given = { amount, method, overpaid };
  const at = received ?? world.now;
  return {
    text: `takes ${JSON.stringify(given)} of ${which}`,
    run: ({ owner }) =>
      takePayment(owner, which, {
        ...given,
        ...(received === undefined ? {} : { received_at: new Date(received).toISOString() }),
      }),
    effects: [
      (ledger) => {
        const standing = staysOf(ledger, which).filter((one) => !fell(one));
        const waiting = standing.filter(isUnpaid);
        const payer = waiting[0] ?? standing[0];
        if (!payer || (waiting.length === 0 && !overpaid)) return false;
        if (standing.some(({ state, awaited }) => state === 'PENDING' || awaited)) return false;
        if (waiting.some((one) => isOpen(ledger, one))) return false;
        const most = sum(waiting.map(unpaid));
        if (amount > most && !overpaid) return false;
        const parts = partsOf(waiting, amount);
        parts.set(payer, (parts.get(payer) ?? 0) + Math.max(0, amount - most));
        for (const one of new Set([payer, ...waiting])) {
          const paid = parts.get(one) ?? 0;
          if (paid > 0) paidIn(one, { amount: paid, at, by: 'HOST', method }, false);
        }
        return true;
      },
    ],
  };
};

/** What is due is paid first, of each stay in turn, then what is due later. */
export const partsOf = (waiting: readonly Purse[], amount: number): Map<Purse, number> => {
  const parts = new Map<Purse, number>();
  let rest = amount;
  for (const dueOf of [due, dueLater])
    for (const one of waiting) {
      const part = Math.min(rest, dueOf(one));
      rest -= part;
      parts.set(one, (parts.get(one) ?? 0) + part);
    }
  return parts;
};

const payRest = (scene: Scene): Act => {
  const { world } = scene;
  const which = whichOf(scene);
  const isOpen = pagesOpen(scene);
  return {
    text: `marks ${which} as paid`,
    run: ({ owner }) => markPaid(owner, which),
    effects: [
      (ledger) => {
        const waiting = staysOf(ledger, which).filter(waits);
        if (waiting.length === 0) return false;
        const isOnline = (one: Purse): boolean =>
          isOpen(ledger, one) || (one.isAuthorised && one.state === 'PENDING');
        if (waiting.some(isOnline)) return false;
        for (const one of waiting) {
          const [amount, method] = [due(one), one.method];
          paidIn(one, { amount, at: world.now, by: 'HOST', method }, false);
          if (one.state === 'PENDING') one.state = 'CONFIRMED';
        }
        return true;
      },
    ],
    answered: (answer) => {
      const { amount_due } = answer as { amount_due: number };
      return amount_due === 0 ? undefined : `what is due was paid, and ${amount_due} is due`;
    },
  };
};

/** One of the numbers of a folio, mostly of a kind. */
const numberOf = ({ draw, purse: { entries } }: Scene, isIn: (entry: Entry) => boolean): number => {
  const fitting = entries.flatMap((entry, at) => (isIn(entry) ? [at + 1] : []));
  return fitting.length > 0 && draw.chance(85) ? draw.pick(fitting) : 1 + draw.below(entries.length + 1);
};

const correct = (scene: Scene): Act => {
  const { purse, world } = scene;
  const id = numberOf(scene, ({ kind, by }) => kind === 'payment' && by === 'HOST');
  return {
    text: `corrects ${id} of ${purse.id}`,
    run: ({ owner }) => correctPayment(owner, purse.id, id, 'A slip'),
    effects: [
      stayOf(purse.id, (one) => {
        const paid = one.entries[id - 1];
        if (paid?.kind !== 'payment' || paid.by !== 'HOST' || fell(one)) return false;
        if (left(one, id) !== paid.amount) return false;
        one.entries.push({ kind: 'correction', amount: -paid.amount, at: world.now, of: id });
        if (unpaid(one) > 0) one.status = 'PENDING';
        if (one.method === 'BANK_TRANSFER' && kept(one) === 0 && endTakes(one))
          one.payUntil = transferUntil(one, world.now);
        return true;
      }),
    ],
  };
};

const charge = (scene: Scene): Act => {
  const { draw, purse, world } = scene;
  const [each, quantity] = [amountLike(draw, 0), 1 + draw.below(3)];
  const isOpen = pagesOpen(scene);
  const amount = each * quantity;
  return {
    text: `charges ${quantity} × ${each} to ${purse.id}`,
    run: ({ owner }) => addCharge(owner, purse.id, { label: 'Minibar', amount: each, quantity }),
    effects: [
      stayOf(purse.id, (one, ledger) => {
        if (one.state === 'PENDING' || fell(one) || (waits(one) && isOpen(ledger, one))) return false;
        one.entries.push({ kind: 'charge', amount, at: world.now });
        isSettled(one);
        return true;
      }),
    ],
  };
};

const uncharge = (scene: Scene): Act => {
  const { purse, world } = scene;
  const id = numberOf(scene, ({ kind }) => kind === 'charge');
  return {
    text: `takes the charge ${id} of ${purse.id} out`,
    run: ({ owner }) => removeCharge(owner, purse.id, id, 'A slip'),
    effects: [
      stayOf(purse.id, (one) => {
        const posted = one.entries[id - 1];
        if (posted?.kind !== 'charge' || posted.of !== undefined || fell(one)) return false;
        if (left(one, id) !== posted.amount) return false;
        one.entries.push({ kind: 'charge', amount: -posted.amount, at: world.now, of: id });
        isSettled(one);
        return true;
      }),
    ],
  };
};

const refundByHand = (scene: Scene): Act => {
  const { draw, purse, world } = scene;
  const amount = amountLike(draw, fell(purse) ? kept(purse) : credit(purse));
  const of = draw.chance(30) ? numberOf(scene, ({ kind }) => kind === 'payment') : undefined;
  const method = draw.chance(30) ? draw.pick(methods) : undefined;
  const isReturned = draw.chance(40);
  const from = ({ by }: Entry, id: number): boolean => by !== 'PARTNER' && (of === undefined || of === id);
  return {
    text: `refunds ${amount} of ${of ?? 'all'} of ${purse.id}, ${method ?? 'as it came'}${isReturned ? ', returned' : ''}`,
    run: ({ owner }) =>
      refundBooking(owner, purse.id, {
        ...{ amount, reason: 'Credit', returned: isReturned },
        ...(of === undefined ? {} : { posting_id: of }),
        ...(method === undefined ? {} : { method }),
      }),
    effects: [
      stayOf(purse.id, (one) => {
        const most = fell(one) ? kept(one) : credit(one);
        if (most === 0 || (of !== undefined && one.entries[of - 1]?.kind !== 'payment')) return false;
        if (amount > Math.min(most, mostOf(one, from))) return false;
        if (fell(one)) one.entries.push({ kind: 'fee', amount: -amount, at: world.now });
        giveBack(one, { amount, at: world.now, from, method, isReturned });
        isEnded(one);
        return true;
      }),
    ],
  };
};

const handOver = (scene: Scene): Act => {
  const { draw, purse } = scene;
  const id = numberOf(scene, ({ isToReturn }) => isToReturn === true);
  const method = draw.chance(50) ? draw.pick(methods) : undefined;
  return {
    text: `has returned ${id} of ${purse.id}${method ? `, ${method}` : ''}`,
    run: ({ owner }) => returnRefund(owner, purse.id, id, method === undefined ? {} : { method }),
    effects: [
      stayOf(purse.id, (one) => {
        const refund = one.entries[id - 1];
        if (refund?.kind !== 'refund' || !refund.isToReturn) return false;
        delete refund.isToReturn;
        if (method !== undefined) refund.method = method;
        return true;
      }),
    ],
  };
};

const kinds = { TAKE: 'deposit_taken', RETURN: 'deposit_returned', KEEP: 'deposit_kept' } as const;

const deposit = ({ draw, purse, world }: Scene): Act => {
  const action = draw.pick(['TAKE', 'RETURN', 'KEEP'] as const);
  const amount = draw.chance(30) && purse.deposit > 0 ? purse.deposit : (1 + draw.below(12)) * 50_000;
  const method = action === 'KEEP' ? undefined : draw.pick(methods);
  const how = method === undefined ? { note: 'A broken lamp' } : { method };
  return {
    text: `security deposit of ${purse.id}: ${action} ${amount}`,
    run: ({ owner }) => changeDeposit(owner, purse.id, { action, amount, ...how }),
    effects: [
      stayOf(purse.id, (one) => {
        const { held, authorised } = depositOf(one);
        if (action === 'TAKE' && !takesDeposit(one)) return false;
        if (amount > (action === 'TAKE' ? depositLeft(one) : held - authorised)) return false;
        one.entries.push({ kind: kinds[action], amount, at: world.now, ...(method ? { method } : {}) });
        return true;
      }),
    ],
  };
};

const askForDue = (scene: Scene): Act => {
  const { purse } = scene;
  const isOpen = pagesOpen(scene);
  return {
    text: `opens a page for what is due of ${purse.id}`,
    run: ({ owner }) => openDuePage(owner, purse.id),
    effects: [
      stayOf(
        purse.id,
        (one, ledger) => one.state !== 'PENDING' && waits(one) && due(one) > 0 && !isOpen(ledger, one),
      ),
    ],
    answered: (answer, _, after) => {
      const wanted = due(after.purses.find(({ id }) => id === purse.id) ?? purse);
      const { amount } = answer as { amount: number };
      return amount === wanted ? undefined : `the page asks for ${amount}, due is ${wanted}`;
    },
  };
};

export const deskActs = {
  payAtDesk,
  payRest,
  correct,
  charge,
  uncharge,
  refundByHand,
  handOver,
  deposit,
  askForDue,
} satisfies Record<string, (scene: Scene) => Act>;
