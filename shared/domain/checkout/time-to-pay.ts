import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { toInstant } from '../../platform/time/time.ts';
import { type ChangedPayment, transferUntil } from '../booking/index.ts';
import { atPayEnd, type Reservation, thawQuote, wasGivenUp, withoutUnset } from '../booking/model.ts';
import { dueLaterFor } from '../folio/model.ts';
import { paymentWindowEnd, transferWindowEnd } from '../payment/model.ts';
import { isByHost } from './find-changeable.ts';
import type { PlannedChange } from './planned-change.ts';

/**
 * Returns until when a changed stay is to be paid, and what it was before what is unpaid then (D147). What a guest or partner adds
 * to a stay of which nothing else is due is to be transferred in the time for a transfer; what a host adds has no time of its own.
 * Throws INVALID_STATE_TRANSITION for more by a guest or partner after a change that was not paid in time, until money has come.
 */
export const timeToPay = (
  ctx: Context,
  planned: PlannedChange,
): Pick<ChangedPayment, 'pay_until' | 'unpaid_change'> => {
  const { before, quote } = planned;
  const now = { ...before, total: quote.total };
  const until = opensTime(ctx, planned) ? transferTime(ctx, planned) : earlierTime(ctx, planned);
  const hasTime = until !== undefined || dueLaterFor(now) > 0;
  const unpaid = hasTime || isPaidUp(before) ? unpaidChange(ctx, planned, hasTime) : undefined;
  const after = withoutUnset({ ...now, unpaid_change: unpaid }) as Reservation;
  return { pay_until: isPaidUp(after) ? undefined : until, unpaid_change: unpaid };
};

/** Whether all that is due of the price is paid, but what the host has added. */
const isPaidUp = (stay: Reservation): boolean => atPayEnd(stay) === undefined;

/** Whether a guest or partner adds by transfer to a stay that is paid. */
const opensTime = (ctx: Context, { before, quote, difference }: PlannedChange): boolean =>
  difference > 0 &&
  before.payment_method === 'BANK_TRANSFER' &&
  before.state === 'CONFIRMED' &&
  !isByHost(ctx, before) &&
  isPaidUp(before) &&
  !isPaidUp({ ...withoutUnpaid(before), total: quote.total });

const withoutUnpaid = ({ unpaid_change: _, ...stay }: Reservation): Reservation => stay;

const transferTime = (ctx: Context, { before, item, quote, home }: PlannedChange): number => {
  if (wasGivenUp(before))
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      'An earlier change of the booking was not paid in time, so its host has to change it.',
      { state: before.state },
    );
  return transferUntil({ ...item, start_at: quote.start_at, timezone: home.timezone }, ctx.clock.now());
};

/** A payment window is never later than the check-in, nor is it longer after a change. */
const earlierTime = ({ clock }: Context, { before, quote, home }: PlannedChange): number | undefined => {
  const { pay_until, payment_method } = before;
  if (pay_until === undefined) return undefined;
  const now = clock.now();
  const checkIn = toInstant(quote.start_at, home.timezone);
  const ends =
    payment_method === 'BANK_TRANSFER'
      ? transferWindowEnd(now, checkIn, Infinity)
      : paymentWindowEnd(now, [Math.max(checkIn, now)]);
  return checkIn >= pay_until ? pay_until : Math.min(pay_until, ends);
};

/** Of several changes that are unpaid together, the stay before the first counts. */
const unpaidChange = (
  ctx: Context,
  { before, quote, item: present }: PlannedChange,
  hasTime: boolean,
): ChangedPayment['unpaid_change'] => {
  const earlier = before.unpaid_change;
  const total = earlier?.total ?? before.total;
  if (before.state !== 'CONFIRMED' || quote.total <= total) return undefined;
  const item = earlier?.item ?? present;
  const isBack = hasTime && !isByHost(ctx, before) && thawQuote(item.quote).total < quote.total;
  return { total, ...(isBack ? { item } : {}) };
};
