import type { Context } from '../../platform/context.ts';
import type { Write } from '../../platform/table/index.ts';
import { bookOrder, type BookingTerms, type Order } from '../booking/index.ts';
import type { Confirmation } from './checkout.schema.ts';
import { presentConfirmation } from './present-confirmation.ts';
import { requireFitting } from './refusals.ts';

/** An order on its way to be booked, with what its confirmation does to the calendar. */
export interface Claim {
  order: Order;
  /** Its id was nobody's before. */
  isNew: boolean;
  calendar: Write[];
}

/** Books a claim in one transaction, with whatever else must be true together with it. */
export const bookClaim = (
  ctx: Context,
  { order: held, isNew, calendar }: Claim,
  terms: BookingTerms,
  also: { writes: Write[]; payUrl: string | null } = { writes: [], payUrl: null },
): Promise<Confirmation> => {
  const { order, reservations, writes } = bookOrder(ctx, held, terms, { isNew });
  return ctx.commit(
    requireFitting([...writes, ...calendar, ...also.writes]),
    presentConfirmation(order, reservations, also.payUrl),
  );
};
