import { money, percentOf, toNumber } from '../../platform/money.ts';
import { instantText } from '../../platform/time/clock.ts';
import { hourMs, toInstant } from '../../platform/time/time.ts';
import { dueFor, dueLaterFor, type PaymentPlan } from '../folio/model.ts';
import { defaultBalanceHours, type Listing } from '../listing/model.ts';
import type { ItemQuote } from '../pricing/model.ts';
import type { OrderItem } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';

/** How long an unpaid balance is waited for after it has fallen due (D129). */
export const balanceGraceMs = 12 * hourMs;

/** When the guest is reminded of a balance, before it falls due (D129). */
export const balanceReminderMs = [48 * hourMs, 24 * hourMs] as const;

/**
 * Returns the payment plan of a stay that is priced now, to be frozen with its price (D129); none where the deposit is all of it,
 * or the balance would be due already. A plan whose `hours_before` is 0 is paid on arrival.
 */
export const freezePlan = (
  { deposit_percent: percent = 100, balance_due: due }: Pick<Listing, 'deposit_percent' | 'balance_due'>,
  { total, currency }: Pick<ItemQuote, 'total' | 'currency'>,
  startsAt: number,
  now: number,
): Pick<OrderItem, 'plan'> => {
  const deposit = toNumber(percentOf(money(total), percent, currency));
  const plan = {
    deposit,
    hours_before: due === 'ON_ARRIVAL' ? 0 : (due?.hours_before ?? defaultBalanceHours),
  };
  return deposit < total && now < balanceDueOf(plan, startsAt) ? { plan } : {};
};

const balanceDueOf = ({ hours_before }: PaymentPlan, startsAt: number): number =>
  startsAt - hours_before * hourMs;

/** Returns what of the price of a stay is due at booking, and when the rest is. */
export const dueAtBooking = (
  total: number,
  item: Pick<OrderItem, 'plan' | 'start_at' | 'timezone'>,
): { amount_due: number; balance_due_at: string | null } => {
  const dueAt = itemBalanceDueAt(item);
  return {
    amount_due: dueFor({ total, ...item }),
    balance_due_at: dueAt === undefined ? null : instantText(dueAt),
  };
};

/** Returns when the balance of a stay in an order falls due, in epoch milliseconds; undefined: all is due at booking. */
const itemBalanceDueAt = ({
  plan,
  start_at,
  timezone,
}: Pick<OrderItem, 'plan' | 'start_at' | 'timezone'>): number | undefined =>
  plan && balanceDueOf(plan, toInstant(start_at, timezone));

/** Returns when what is still to be paid of a stay falls due, in epoch milliseconds; undefined: nothing is, or it is due. */
export const balanceDueAt = (stay: Reservation): number | undefined =>
  dueLaterFor(stay) > 0 ? itemBalanceDueAt(stay) : undefined;
