import { cancelBooking, markPaid, moveBooking } from '../../../shared/domain/booking/index.ts';
import { blockTime } from '../../../shared/domain/calendar/index.ts';
import { openThreads, sendMessage } from '../../../shared/domain/chat/index.ts';
import { bookForGuest, confirmCheckout } from '../../../shared/domain/checkout/index.ts';
import { createReview, replyToReview } from '../../../shared/domain/listing/index.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { instantText } from '../../../shared/platform/time/clock.ts';
import { reservationIdOf } from '../../../shared/platform/ids.ts';
import { dayMs, hourMs } from '../../../shared/platform/time/time.ts';
import { asUser, depsAt, type Person } from './callers.ts';
import { arrivalAt, dateAt, departureAt } from './days.ts';
import type { DemoStay } from './homes/home.ts';
import type { SeededListing } from './listings.ts';

export type DemoGuests = Record<NonNullable<DemoStay['by']>, Person>;

/** Who acts in the stays of a home. */
interface StayStage {
  deps: Dependencies;
  host: Person;
  guests: DemoGuests;
}

/** Guests without an account. */
const visitors = [
  { full_name: 'Đỗ Quang Huy', phone: '+84 913 222 118', email: 'huy@example.com' },
  { full_name: 'Võ Ngọc Anh', phone: '+84 987 410 052', email: 'ngocanh@example.com' },
  { full_name: 'Sophie Martin', phone: '+33 6 12 34 56 78', email: 'sophie@example.com' },
  { full_name: 'Bùi Đức Thắng', phone: '+84 905 776 340', email: 'thang@example.com' },
] as const;

const visitorOf = (from: number) => ({
  ...(visitors[Math.abs(from) % visitors.length] ?? visitors[0]),
  language: undefined,
});

/** Books the stays of a listing and blocks its days, each step at its own time. */
export const seedStays = async (stage: StayStage, listing: SeededListing): Promise<void> => {
  const { stays = [], blocked = [] } = listing.about;
  for (const stay of stays) await seedStay(stage, listing, stay);
  const now = stage.deps.clock.now();
  for (const { day, note } of blocked)
    await blockTime(asUser(stage.deps, stage.host), listing.id, { block_date: dateAt(now, day), note });
};

const seedStay = async (stage: StayStage, listing: SeededListing, stay: DemoStay): Promise<void> => {
  const { deps, host, guests } = stage;
  const now = deps.clock.now();
  const { from, nights, by, cancelled, messages } = stay;
  const bookedAt = now + Math.min(from, 0) * dayMs - 6 * dayMs;
  const item = {
    listing_id: listing.id,
    check_in_date: dateAt(now, from),
    check_out_date: dateAt(now, from + nights),
    guest_number: Math.min(2, listing.capacity),
  };
  const ordered = { items: [item], payment_method: 'CASH' as const };
  const { master_reservation_id: orderId } =
    by === undefined
      ? await bookForGuest(asUser(depsAt(deps, bookedAt), host), {
          ...ordered,
          guest_info: visitorOf(from),
        })
      : await confirmCheckout(asUser(depsAt(deps, bookedAt), guests[by]), ordered);
  const bookingId = reservationIdOf(orderId, 0);
  if (by !== undefined && messages)
    await seedMessages(stage, { bookingId, guest: guests[by], texts: messages, from: bookedAt });
  if (cancelled) {
    const who = cancelled === 'host' || by === undefined ? host : guests[by];
    await cancelBooking(asUser(depsAt(deps, now - 2 * dayMs), who), bookingId);
  } else if (from < 0) await seedArrival(stage, bookingId, stay);
};

/** The arrival and, of a past stay, what followed. */
const seedArrival = async (
  { deps, host, guests }: StayStage,
  bookingId: number,
  { from, nights, by, review }: DemoStay,
): Promise<void> => {
  const now = deps.clock.now();
  const hostAt = (time: number) => asUser(depsAt(deps, time), host);
  const arrived = arrivalAt(now, from);
  await markPaid(hostAt(arrived), bookingId);
  await moveBooking(hostAt(arrived), bookingId, 'check_in');
  if (from + nights >= 0) return;
  const left = departureAt(now, from + nights);
  await moveBooking(hostAt(left), bookingId, 'check_out');
  await moveBooking(hostAt(left + hourMs), bookingId, 'complete');
  if (by === undefined || !review) return;
  const { rating, comment, reply } = review;
  const written = await createReview(asUser(depsAt(deps, left + dayMs), guests[by]), bookingId, {
    rating,
    comment,
  });
  if (reply !== undefined) await replyToReview(hostAt(left + 2 * dayMs), written.id, { text: reply });
};

/** Guest and host write by turns, an hour apart; the thread is opened as the worker would do it. */
const seedMessages = async (
  { deps, host }: StayStage,
  {
    bookingId,
    guest,
    texts,
    from,
  }: { bookingId: number; guest: Person; texts: readonly string[]; from: number },
): Promise<void> => {
  await openThreads(depsAt(deps, from), [
    {
      ...{ id: `demo-${bookingId}`, event_type: 'booking.created', occurred_at: instantText(from) },
      ...{ team_id: null, actor: 'demo', data: { id: bookingId } },
    },
  ]);
  for (const [at, text] of texts.entries())
    await sendMessage(
      asUser(depsAt(deps, from + (at + 1) * hourMs), at % 2 === 0 ? guest : host),
      bookingId,
      { text },
    );
};
