import { hourMs, toInstant } from '../../platform/time/time.ts';
import { instantText } from '../../platform/time/clock.ts';
import { depositOf } from '../folio/model.ts';
import type { BookingState } from './booking-state.schema.ts';
import { totalOf } from './booking.rules.ts';
import type { SecurityDeposit } from './folio.schema.ts';
import { thawQuote } from './frozen-quote.rules.ts';
import type { Order } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';

/** Returns the security deposit that was frozen with the price of a stay (D131). */
export const frozenDeposit = (
  { items }: Pick<Order, 'items'>,
  { reservation_id }: Pick<Reservation, 'reservation_id'>,
): number => {
  const item = items.find((one) => one.reservation_id === reservation_id);
  return item ? thawQuote(item.quote).deposit : 0;
};

/** The states in which a security deposit can be taken; what is held is returned or kept in any. */
const takingStates: readonly BookingState[] = ['CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT'];

export const takesDeposit = ({ state }: Pick<Reservation, 'state'>): boolean => takingStates.includes(state);

const besideStayMs = 48 * hourMs;

/** Returns from when on a security deposit can be authorised, in epoch milliseconds. */
export const authorisedFrom = ({ start_at, timezone }: Reservation): number =>
  toInstant(start_at, timezone) - besideStayMs;

/** Returns when the authorisation of a security deposit is released, in epoch milliseconds. */
export const authorisedUntil = ({ checked_out_at, end_at, timezone }: Reservation): number =>
  (checked_out_at === undefined ? toInstant(end_at, timezone) : Date.parse(checked_out_at)) + besideStayMs;

/** Returns the security deposits of stays, together. */
export const depositsOf = (
  order: Pick<Order, 'items'>,
  stays: readonly Reservation[],
  now: number,
): SecurityDeposit => {
  const all = stays.map((stay) => ({ amount: frozenDeposit(order, stay), ...depositOf(stay) }));
  const page = stays.find(({ deposit_hold: { ends_at = 0 } = {} }) => now < ends_at)?.deposit_hold;
  return {
    amount: totalOf(all.map(({ amount }) => amount)),
    held: totalOf(all.map(({ held }) => held)),
    authorised: totalOf(all.map(({ authorised }) => authorised)),
    kept: totalOf(all.map(({ kept }) => kept)),
    returned: totalOf(all.map(({ returned }) => returned)),
    payment_url: page?.url ?? null,
    payment_expires_at: page?.ends_at === undefined ? null : instantText(page.ends_at),
  };
};
