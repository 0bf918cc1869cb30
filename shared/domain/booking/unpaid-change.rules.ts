import { dueFor, priceOnly } from '../folio/model.ts';
import type { Reservation } from './reservation.entity.ts';

/** Why a change is given up. */
export const changeUnpaid = 'The change was not paid in time.';

/** Why it is not. */
export const changeKept =
  'The change was not paid in time, but the stay before is no longer possible: the rest is due on arrival.';

/**
 * Returns what the end of the time to pay takes (D147): the stay; its change alone, where the price before that is paid; undefined:
 * nothing, since all of the price is paid that is due, or all but what its host has added. What is charged beside the price counts
 * for nothing here.
 */
export const atPayEnd = (
  stay: Pick<Reservation, 'total' | 'plan' | 'postings' | 'unpaid_change'>,
): 'stay' | 'change' | undefined => {
  const price = priceOnly(stay);
  const { unpaid_change: change } = stay;
  if (dueFor(price) === 0) return undefined;
  if (!change || dueFor({ ...price, total: change.total }) > 0) return 'stay';
  return change.item && 'change';
};

/** Whether the latest unpaid change of a stay was given up, and no money has come since. */
export const wasGivenUp = ({ postings = [] }: Pick<Reservation, 'postings'>): boolean =>
  postings.findLast(({ kind, actor }) => kind === 'payment' || (kind === 'change' && actor === schedule))
    ?.kind === 'change';

/** Who gives changes up. */
const schedule = 'system:move-due-bookings';
