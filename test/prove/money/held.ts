import { depositOf, fell, type Hold, type Purse } from './purse.ts';

/** The states in which a security deposit is taken. */
export const takesDeposit = ({ state }: Purse): boolean =>
  ['CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT'].includes(state);

/** What is left to take of the security deposit. */
export const depositLeft = (purse: Purse): number => {
  const { held, kept: keptPart } = depositOf(purse);
  return purse.deposit - held - keptPart;
};

/** What was authorised ends: a part is kept, the rest goes back. */
export const endHold = (purse: Purse, captures: number, at: number): void => {
  const { hold } = purse;
  if (!hold) return;
  delete purse.hold;
  if (!hold.isAuthorised) return;
  const how = {
    at,
    method: 'ONLINE_GATEWAY',
    ...(hold.payment === undefined ? {} : { payment: hold.payment }),
  };
  if (captures > 0) purse.entries.push({ kind: 'deposit_kept', amount: captures, ...how });
  const rest = hold.amount - captures;
  if (rest > 0) purse.entries.push({ kind: 'deposit_returned', amount: rest, ...how });
};

/** Whether a stay fell through without its guest, who may have been there by a cancellation after check-in. */
const isUnused = (purse: Purse): boolean =>
  fell(purse) &&
  (purse.state === 'NO_SHOW' || purse.isLapse === true || (purse.endedAt ?? 0) < purse.checkIn);

interface HoldPage {
  state: string;
  authorisedAt?: number;
}

/** Whether the stay still takes what was authorised. */
const isWanted = (purse: Purse, { amount }: Hold): boolean =>
  takesDeposit(purse) && amount <= depositLeft(purse);

/** What was authorised and is not wanted is released at the gateway first. */
export const giveUpHold = (purse: Purse, page: HoldPage | undefined): void => {
  const { hold } = purse;
  if (!hold || hold.isAuthorised || hold.captures !== undefined || page?.authorisedAt === undefined) return;
  if (!isWanted(purse, hold)) hold.isGivenUp = true;
};

/** The gateway is asked about a deposit. What was authorised is taken if the stay still takes it, else released. */
export const askAboutHold = (purse: Purse, page: HoldPage | undefined, at: number): void => {
  const { hold } = purse;
  if (!hold) return;
  if (hold.captures !== undefined) {
    endHold(purse, hold.captures, at);
    return;
  }
  if (hold.isAuthorised) {
    if (isUnused(purse)) endHold(purse, 0, at);
    return;
  }
  if (page?.authorisedAt === undefined) {
    // Some gateways keep a page open until its end.
    if (page?.state === 'closed' || at >= hold.endsAt) delete purse.hold;
  } else if (!hold.isGivenUp && isWanted(purse, hold)) {
    hold.isAuthorised = true;
    const payment = hold.payment === undefined ? {} : { payment: hold.payment };
    purse.entries.push({
      kind: 'deposit_taken',
      amount: hold.amount,
      at,
      method: 'ONLINE_GATEWAY',
      ...payment,
    });
  } else delete purse.hold;
};
