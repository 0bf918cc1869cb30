import type { Charge } from '../service/bank.ts';
import type { Ledger } from './ledger.ts';
import { due, waits } from './purse.ts';

/** Some gateways keep no page open for longer. */
const dayMs = 24 * 3_600_000;

/** A page asks for what is due when it is opened. */
export const pageProblems = (
  ledger: Ledger,
  { payment_id, amount, reference, ends_at }: Charge,
  now: number,
): string[] => {
  const role = ledger.roles[payment_id];
  if (role?.of === 'hold') {
    const hold = ledger.purses.find(({ id }) => id === role.stay)?.hold;
    return hold?.payment !== payment_id || hold.amount === amount
      ? []
      : [`${reference} authorises ${amount}, asked for is ${hold.amount}`];
  }
  const purse = role?.of === 'due' ? ledger.purses.find(({ id }) => id === role.stay) : undefined;
  // A time that has ended ends no stay in house.
  const until = purse?.state === 'CONFIRMED' ? purse.payUntil : undefined;
  const [early, late] = [Math.min(until ?? 0, now + dayMs) - 60_000, until ?? Infinity];
  if (ends_at < early || ends_at > late) return [`${reference} ends at ${ends_at}, not ${until}`];
  if (!role) return [`${reference} is a page of nothing`];
  const wanted =
    role.of === 'change'
      ? ledger.purses.find(({ id }) => id === role.stay)?.awaited?.due
      : ledger.purses
          .filter((purse) => (role.of === 'order' ? !purse.isApart : purse.id === role.stay))
          .filter(waits)
          .reduce((sum, purse) => sum + due(purse), 0);
  return wanted === amount ? [] : [`${reference} asks for ${amount}, due is ${wanted}`];
};
