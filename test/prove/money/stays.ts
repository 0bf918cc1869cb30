import {
  cancelBooking,
  cancelExternalBooking,
  declineBooking,
  getCancellation,
  markNoShow,
  moveBooking,
} from '../../../shared/domain/booking/index.ts';
import { acceptBooking } from '../../../shared/domain/payment/index.ts';
import { type Act, amountLike, type Scene, stayOf } from './act.ts';
import { cancel, type Ledger, settle } from './ledger.ts';
import { announced, due, dueLater, end, fell, kept, type Purse, refundAt, waits } from './purse.ts';
import { pageUntil, transferUntil } from './time-to-pay.ts';

const whichOf = ({ draw, ledger, purse }: Scene): number => (draw.chance(50) ? ledger.order : purse.id);
const staysOf = (ledger: Ledger, which: number): Purse[] =>
  ledger.purses.filter(({ id }) => which === ledger.order || id === which);

const hour = 3_600_000;

interface Refunded {
  refund: { amount: number };
}

const cancelStays = (scene: Scene): Act => {
  const { draw, by: booker, world } = scene;
  const which = whichOf(scene);
  const by = draw.chance(50) ? 'owner' : booker;
  const at = world.now;
  const isByGuest = by !== 'owner';
  const openOf = (ledger: Ledger): Purse[] =>
    staysOf(ledger, which).filter(({ state }) => state === 'PENDING' || state === 'CONFIRMED');
  let shown: number | undefined;
  return {
    text: `${by} cancels ${which}`,
    run: async ({ owner, guest, partner }) => {
      if (by === 'partner') return cancelExternalBooking(partner, which);
      const ctx = by === 'owner' ? owner : guest;
      const { refund_now } = await getCancellation(ctx, which);
      shown = refund_now.amount;
      return cancelBooking(ctx, which);
    },
    effects: [
      (ledger) => {
        const open = openOf(ledger);
        if (open.length === 0) return false;
        cancel(open, { at, isByGuest });
        return true;
      },
    ],
    answered: (answer, before) => {
      const { amount } = (answer as Refunded).refund;
      const wanted = openOf(before).reduce(
        (sum, one) => sum + announced(one, refundAt(one, at, isByGuest)),
        0,
      );
      if (shown !== undefined && shown !== amount) return `the preview said ${shown}, refunded is ${amount}`;
      return amount === wanted ? undefined : `the answer says ${amount} is refunded, not ${wanted}`;
    },
  };
};

const decline = (scene: Scene): Act => {
  const which = whichOf(scene);
  return {
    text: `declines ${which}`,
    run: ({ owner }) => declineBooking(owner, which),
    effects: [
      (ledger) => {
        const open = staysOf(ledger, which).filter(({ state }) => state === 'PENDING');
        cancel(open, { at: scene.world.now, isByGuest: false });
        return open.length > 0;
      },
    ],
  };
};

/** A stay that is paid apart has its page from the acceptance on; what costs nothing is paid by it. */
const openOwnPage = (ledger: Ledger, purse: Purse, at: number): void => {
  // Its deposit is 0.
  if (dueLater(purse) > 0 && due(purse) === 0) return;
  if (!waits(purse) || due(purse) > 0) {
    ledger.opened.push(purse.id);
    if (waits(purse)) purse.payUntil = pageUntil(at, purse.checkIn);
    return;
  }
  purse.entries.push({ kind: 'payment', amount: 0, at, by: 'HOST', method: purse.method });
  purse.status = 'PAID';
};

const accept = (scene: Scene): Act => {
  const { world } = scene;
  const which = whichOf(scene);
  return {
    text: `accepts ${which}`,
    run: ({ owner }) => acceptBooking(owner, which),
    effects: [
      (ledger) => staysOf(ledger, which).some(({ state }) => state === 'PENDING'),
      (ledger) => {
        const ids = new Set(staysOf(ledger, which).map(({ id }) => id));
        const pending = staysOf(ledger, which).filter(({ state }) => state === 'PENDING');
        for (const charge of world.unknown(ledger))
          if (charge.kind === 'authorisation' && ids.has(charge.payment_id))
            settle(ledger, charge, world.now);
        for (const one of pending) {
          if (one.method === 'BANK_TRANSFER' && waits(one)) one.payUntil = transferUntil(one, world.now);
          else if (one.isApart && one.state === 'PENDING') openOwnPage(ledger, one, world.now);
          one.state = 'CONFIRMED';
        }
        // It was cancelled meanwhile: what was captured goes back.
        return staysOf(ledger, which).every(fell) ? 'declined' : true;
      },
    ],
  };
};

const miss = (scene: Scene): Act => {
  const { draw, world } = scene;
  const which = whichOf(scene);
  const at = world.now;
  const missedOf = (ledger: Ledger): Purse[] =>
    staysOf(ledger, which).filter(({ state }) => state === 'CONFIRMED');
  const refundAmount = draw.chance(25) ? amountLike(draw, kept(scene.purse)) : undefined;
  return {
    text: `${which} did not come${refundAmount === undefined ? '' : `, ${refundAmount} is refunded`}`,
    run: ({ owner }) => markNoShow(owner, which, refundAmount),
    effects: [
      (ledger) => {
        const missed = missedOf(ledger);
        // From the midnight after check-in (D83).
        if (missed.length === 0 || missed.some(({ checkIn }) => at < checkIn + 10 * hour)) return false;
        const refunds = missed.map((one) => refundAt(one, at, true));
        const least = refunds.reduce((sum, one) => sum + one, 0);
        const most = missed.reduce((sum, one) => sum + kept(one), 0);
        if (refundAmount !== undefined && (refundAmount < least || refundAmount > most)) return false;
        let more = (refundAmount ?? least) - least;
        missed.forEach((one, place) => {
          const refund = refunds[place] ?? 0;
          const extra = Math.min(more, kept(one) - refund);
          more -= extra;
          delete one.awaited;
          end(one, 'NO_SHOW', refund + extra, at);
        });
        return true;
      },
    ],
  };
};

const moves = {
  check_in: ['CONFIRMED', 'CHECKED_IN'],
  undo_check_in: ['CHECKED_IN', 'CONFIRMED'],
  check_out: ['CHECKED_IN', 'CHECKED_OUT'],
  complete: ['CHECKED_OUT', 'COMPLETED'],
} as const;

const move = (scene: Scene): Act => {
  const { draw, purse, world } = scene;
  const name = draw.pick(['check_in', 'check_in', 'check_out', 'complete', 'undo_check_in'] as const);
  const [from, to] = moves[name];
  return {
    text: `${name} of ${purse.id}`,
    run: ({ owner }) => moveBooking(owner, purse.id, name),
    effects: [
      stayOf(purse.id, (one) => {
        // From the day of the check-in on (D50).
        const isEarly = name === 'check_in' && world.now < one.checkIn - 14 * hour;
        if (one.state !== from || isEarly) return false;
        one.state = to;
        if (one.plan && name === 'check_in') one.plan.isDue = true;
        return true;
      }),
    ],
  };
};

export const stayActs = { cancelStays, decline, accept, miss, move } satisfies Record<
  string,
  (scene: Scene) => Act
>;
