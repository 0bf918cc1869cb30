import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { money } from '../../platform/money.ts';
import { create, maxWrites, type Write } from '../../platform/table/index.ts';
import { dayMs, toInstant } from '../../platform/time/time.ts';
import { AvailabilityEntryEntity, CalendarDraft, calendarOf, notAvailable } from '../calendar/model.ts';
import { dueFor, withoutEnd } from '../folio/model.ts';
import { type Listing, listingRead } from '../listing/model.ts';
import { entryOf } from './book-order.ts';
import { isLapsed, totalOf } from './booking.rules.ts';
import { requireAsRead } from './booking.store.ts';
import type { MovedStay } from './move-reservation.ts';
import type { Reservation } from './reservation.entity.ts';
import { payByTransfer, type TransferredMoney } from './take-payment.ts';

/** After that a person decides: the host may have sold or planned otherwise. */
const restoredWithinMs = 7 * dayMs;

/** What a transfer has paid, what is left of it, and the writes that take the time of stays again. */
export interface Restored {
  paid: MovedStay[];
  rest: number;
  beside: Write[];
}

/**
 * Returns the payment of stays by a transfer that came after some of them had lapsed (D130): these are booked again, in the
 * transaction that pays all of them, or none is. By itself only where the host sells the home still, the transfer came within a
 * week, and no partner has made the booking, who has seen it cancelled; a person may do it otherwise. Returns the refusal where
 * that is not possible, or less has come than was due. Throws ConflictError where the stays or their calendar have changed since.
 */
export const restoreByTransfer = async (
  ctx: Context,
  stays: readonly Reservation[],
  given: TransferredMoney,
  { isByPerson = false }: { isByPerson?: boolean } = {},
): Promise<Restored | ServiceError> => {
  const lapsed = stays.filter(isLapsed);
  const listings = await ctx.table.getAll(lapsed.map(({ listing_id }) => listingRead(listing_id)));
  const again = lapsed.flatMap((stay, at) => atHome(stay, listings[at]) ?? []);
  if (again.length < lapsed.length || lapsed.some((stay) => !isAhead(ctx, stay)))
    return refused('The booking was cancelled, and its stay is past or its home is no longer there.');
  const payable = stays.map((stay) => again[lapsed.indexOf(stay)] ?? stay);
  const due = totalOf(payable.map(dueFor));
  if (money(given.amount).lt(due))
    return refused('Less is left of the transfer than was due of the booking, which was cancelled.', {
      amount_due: due,
    });
  const isForPerson = lapsed.some((stay, at) => isLeftToPerson(stay, listings[at], given));
  if (isForPerson && !isByPerson) return refused('A person has to restore the booking.');
  const draft = await CalendarDraft.load(ctx.table, again, ctx.clock.now());
  for (const stay of again) {
    draft.requireCurrentCalendar(stay);
    const taken = draft.taken(stay);
    if (taken.length > 0) {
      // Another transfer may have restored them since.
      await requireAsRead(ctx.table, lapsed);
      return notAvailable(taken);
    }
    draft.take(stay);
  }
  const { paid, rest } = payByTransfer(ctx, payable, given, { keepsTime: true });
  const restored = paid.filter(({ before }) => again.includes(before)).map(({ after }) => after);
  const entries = restored.map((stay) => create(AvailabilityEntryEntity, entryOf(stay)));
  const beside = [...entries, ...draft.writes()];
  return beside.length + paid.flatMap(({ writes }) => writes).length < maxWrites
    ? { paid, rest, beside }
    : refused('The booking is too large to be restored in one transaction; name its stays one by one.');
};

const refused = (message: string, details: object = {}): ServiceError =>
  new ServiceError('INVALID_STATE_TRANSITION', message, { state: 'CANCELLED', ...details });

/** Returns a stay as it was before it lapsed, in the calendar that its home has now. */
const atHome = (stay: Reservation, listing: Listing | undefined): Reservation | undefined => {
  const before = withoutEnd(stay);
  return listing?.team_id === stay.team_id &&
    listing.timezone === stay.timezone &&
    listing.state !== 'ARCHIVED' &&
    before
    ? { ...before, calendar_id: calendarOf(listing) }
    : undefined;
};

const isAhead = ({ clock }: Context, { start_at, timezone }: Reservation): boolean =>
  clock.now() < toInstant(start_at, timezone);

const isLeftToPerson = (
  { key_id, lapsed_at = 0 }: Reservation,
  listing: Listing | undefined,
  { received_at }: TransferredMoney,
): boolean =>
  key_id !== null || listing?.state !== 'ACTIVE' || Date.parse(received_at) > lapsed_at + restoredWithinMs;
