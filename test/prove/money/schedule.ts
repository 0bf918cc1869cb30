import { moveDueBookings } from '../../../shared/domain/payment/index.ts';
import { type Act, always, type Draws, type Effect } from './act.ts';
import { becomingKnown } from './gateway.ts';
import { cancel, giveUp, type Ledger, purseOf } from './ledger.ts';
import { balanceDueAt, due, dueLater, endTakes, isUnpaid, type Purse } from './purse.ts';
import { arrival, morning, newMonth } from './scene.ts';
import type { World } from './world.ts';

const hour = 3_600_000;

/** To which time a step lets the world come; undefined: it is a step of another kind. */
export const untilOf = (
  step: string,
  { now }: World,
  { purses }: Ledger,
  draw: Draws,
): number | undefined => {
  switch (step) {
    case 'halfDay':
      return now + 13 * hour;
    case 'wait':
      return now + 25 * hour;
    case 'week':
      return now + 8 * 24 * hour;
    case 'balance':
      return Math.min(...purses.map(balanceDueAt), arrival) + draw.below(4) * hour;
    case 'holdTime':
      return Math.min(...purses.map(({ checkIn }) => checkIn)) - 47 * hour;
    case 'newMonth':
      return newMonth;
    case 'morning':
      return morning;
    case 'arrive':
      return arrival;
    default:
      return undefined;
  }
};

/** The schedule finds what is due: what no host has accepted, what was not paid in time, a balance (D46, D73, D85, D129). */
export const dueAct = (world: World, ledger: Ledger): Act => ({
  text: `it is ${new Date(world.now).toISOString()}`,
  run: ({ deps }) => moveDueBookings(deps),
  effects: [
    ...becomingKnown(world, ledger).effects,
    // It takes them in any order; what is done is not done again.
    ...[...ledger.purses, ...ledger.purses.slice(0, -1)].map(({ id }): Effect =>
      always((now) => isDue(purseOf(now, id), world.now)),
    ),
  ],
});

const isDue = (purse: Purse, at: number): void => {
  const { state } = purse;
  const isOpen = state === 'PENDING' || state === 'CONFIRMED';
  const hostUntil = state === 'PENDING' ? purse.bookedAt + 24 * hour : Infinity;
  const takes = isOpen && isUnpaid(purse) ? endTakes(purse) : undefined;
  const payUntil = takes ? (purse.payUntil ?? Infinity) : Infinity;
  if (takes === 'change' && payUntil <= at) giveUp(purse, at);
  else if (Math.min(hostUntil, payUntil) <= at) {
    if (state === 'CONFIRMED' && purse.method === 'BANK_TRANSFER') purse.isLapsed = true;
    purse.isLapse = payUntil <= hostUntil;
    cancel([purse], { at, isByGuest: purse.isLapse });
  }
  // It waits for a deposit that may still be paid.
  else if (state === 'CONFIRMED' && payUntil === Infinity && dueLater(purse) > 0 && balanceDueAt(purse) <= at)
    call(purse, at);
};

/** The balance falls due: the guest has 12 hours, but who is there by then, or is to pay on arrival, pays the host. */
const call = (purse: Purse, at: number): void => {
  const { plan, checkIn } = purse;
  if (!plan) return;
  plan.isDue = true;
  purse.called += due(purse);
  const until = at + 12 * hour;
  if (plan.hours === 0 || until > checkIn) delete purse.payUntil;
  else purse.payUntil = until;
};
