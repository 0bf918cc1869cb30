import {
  addCharge,
  cancelBooking,
  changeDeposit,
  markPaid,
  moveBooking,
  takePayment,
} from '../../../shared/domain/booking/index.ts';
import { ExternalBookingRequest } from '../../../shared/domain/booking/model.ts';
import { blockTime } from '../../../shared/domain/calendar/index.ts';
import {
  addAdjustment,
  addToCart,
  bookExternally,
  bookForGuest,
  confirmCheckout,
  createCheckout,
  createQuote,
  holdQuote,
} from '../../../shared/domain/checkout/index.ts';
import { createReview } from '../../../shared/domain/listing/index.ts';
import { exampleIds as ids } from '../../../shared/platform/http/example-records.ts';
import { exampleDate } from '../../../shared/platform/http/shown-examples.ts';
import { addDays, dayMs, hourMs } from '../../../shared/platform/time/time.ts';
import { asPartner, asUser, depsAt, type ExampleStage } from './callers.ts';
import { arrivalAt, dateAt, departureAt, endToday } from './days.ts';
import { seedExampleFeeds } from './example-feeds.ts';
import { seedExampleTransfers } from './example-transfers.ts';
import { seedExampleListings } from './example-listings.ts';

const guestInfo = {
  full_name: 'Trần Thị Bình',
  phone: '+84 912 345 678',
  email: 'binh@example.com',
  language: undefined,
};

/** Creates the records that the examples of the API documentation name, through the verbs that customers use. */
export const seedExamples = async (stage: ExampleStage): Promise<void> => {
  await seedExampleListings(stage);
  await seedExampleTransfers(stage);
  await seedPastStays(stage);
  await seedStaysOfToday(stage);
  await seedComingStays(stage);
  await seedExampleFeeds(stage);
};

/** Three nights from Thursday on, in the week of an example. */
const nights = (stage: ExampleStage, thursday: string) => {
  const check_in_date = exampleDate(thursday, stage.deps.clock.now());
  return {
    listing_id: ids.listing,
    check_in_date,
    check_out_date: addDays(check_in_date, 3),
    guest_number: 4,
  };
};

const oneNight = (stay: ReturnType<typeof nights>) => ({
  ...stay,
  check_out_date: addDays(stay.check_in_date, 1),
  guest_number: 2,
});

const order = (bookingId: number): number => bookingId - 1;

/** Books for the guest, who pays in cash unless by transfer; `daysAgo` is when. */
const bookAsGuest = (
  { deps, guest }: ExampleStage,
  bookingId: number,
  item: ReturnType<typeof nights>,
  {
    daysAgo = 0,
    payment_method = 'CASH',
  }: { daysAgo?: number; payment_method?: 'CASH' | 'BANK_TRANSFER' } = {},
) =>
  confirmCheckout(asUser(depsAt(deps, deps.clock.now() - daysAgo * dayMs, order(bookingId)), guest), {
    items: [item],
    payment_method,
  });

const seedComingStays = async (stage: ExampleStage): Promise<void> => {
  const { deps, host, guest, partner } = stage;
  const now = deps.clock.now();
  await bookAsGuest(stage, ids.booking, oneNight(nights(stage, '2027-02-11')));
  await markPaid(asUser(deps, host), ids.booking);
  await bookAsGuest(stage, ids.toCancel, nights(stage, '2027-03-18'));
  await bookAsGuest(stage, ids.toChange, nights(stage, '2027-05-20'));
  await seedFolios(stage);
  for (const [checkout, thursday] of [
    [ids.checkout, '2027-03-04'],
    [ids.checkoutToRelease, '2027-03-11'],
  ] as const)
    await createCheckout(asUser(depsAt(deps, now, checkout), guest), { items: [nights(stage, thursday)] });
  const quoteAt = (quoteId: number, thursday: string) =>
    createQuote(asPartner(depsAt(deps, now, quoteId), partner), { items: [nights(stage, thursday)] });
  await quoteAt(ids.quote, '2027-05-13');
  for (const [quoteId, thursday] of [
    [ids.quoteToExtend, '2027-04-29'],
    [ids.quoteToRelease, '2027-05-06'],
  ] as const) {
    await quoteAt(quoteId, thursday);
    await holdQuote(asPartner(deps, partner), quoteId);
  }
  for (const [bookingId, thursday, listing_id] of [
    [ids.ofPartner, '2027-04-01', ids.listing],
    [ids.ofPartnerToCancel, '2027-03-25', ids.listing],
    [ids.ofPartnerToChange, '2027-05-27', ids.listing],
    [ids.ofLink, '2027-08-19', ids.listing],
    [ids.ofRotatedLink, '2027-08-26', ids.listing],
    [ids.toCorrect, '2027-09-02', ids.listing],
    [ids.toAccept, '2027-02-11', ids.lakeHouse],
    [ids.toDecline, '2027-02-25', ids.lakeHouse],
  ] as const)
    await bookExternally(
      asPartner(depsAt(deps, now, order(bookingId)), partner),
      ExternalBookingRequest.parse({
        ...nights(stage, thursday),
        listing_id,
        nights: 3,
        guest_info: guestInfo,
        payment_method: 'CASH',
      }),
    );
  await bookForGuest(asUser(depsAt(deps, now, order(ids.toPay)), host), {
    items: [{ ...nights(stage, '2027-02-18'), listing_id: ids.lakeHouse }],
    guest_info: guestInfo,
    payment_method: 'CASH',
  });
  await blockTime(asUser(depsAt(deps, now, ids.block), host), ids.listing, {
    block_date: exampleDate('2027-04-12', now),
    note: 'Painting',
  });
  const cart = nights(stage, '2027-04-15');
  await addToCart(asUser(depsAt(deps, now, ids.cartItem), guest), {
    listing_id: ids.listing,
    check_in: `${cart.check_in_date}T14:00:00`,
    check_out: `${cart.check_out_date}T12:00:00`,
    guests: 2,
  });
};

/** Bookings with something to take, charge or refund. */
const seedFolios = async (stage: ExampleStage): Promise<void> => {
  const { deps } = stage;
  const host = asUser(deps, stage.host);
  // A guest with an account may have five unpaid stays.
  const bookOnSite = (bookingId: number, item: ReturnType<typeof nights>) =>
    bookForGuest(asUser(depsAt(deps, deps.clock.now(), order(bookingId)), stage.host), {
      items: [item],
      guest_info: guestInfo,
      payment_method: 'CASH',
    });
  await bookAsGuest(stage, ids.toPayInPart, nights(stage, '2027-06-03'));
  await bookAsGuest(stage, ids.paidByMistake, nights(stage, '2027-06-10'));
  await markPaid(host, ids.paidByMistake);
  await bookOnSite(ids.toCharge, nights(stage, '2027-06-17'));
  await bookOnSite(ids.chargedByMistake, nights(stage, '2027-06-24'));
  await addCharge(host, ids.chargedByMistake, { label: 'Minibar', amount: 30_000, quantity: 2 });
  await bookAsGuest(stage, ids.toRefund, nights(stage, '2027-07-01'));
  await markPaid(host, ids.toRefund);
  await takePayment(host, ids.toRefund, { amount: 50_000, method: 'CASH', overpaid: true });
  await bookAsGuest(stage, ids.toReturn, nights(stage, '2027-07-08'));
  await markPaid(host, ids.toReturn);
  await cancelBooking(host, ids.toReturn);
  await bookOnSite(ids.toAdjust, nights(stage, '2027-07-15'));
  await bookOnSite(ids.toPayOnline, nights(stage, '2027-07-29'));
  await bookOnSite(ids.adjusted, nights(stage, '2027-07-22'));
  const adjusting = asUser(depsAt(deps, deps.clock.now(), ids.adjustment), stage.host);
  await addAdjustment(adjusting, ids.adjusted, {
    label: 'Cold shower',
    amount: -100_000,
    reason: 'GOODWILL',
  });
  await bookAsGuest(stage, ids.toTransfer, nights(stage, '2027-08-12'), { payment_method: 'BANK_TRANSFER' });
  await bookOnSite(ids.withDeposit, nights(stage, '2027-08-05'));
  await changeDeposit(host, ids.withDeposit, { action: 'TAKE', amount: 500_000, method: 'CASH' });
};

/** A guest who arrives today, one who did not come, and two who are in the house, one of them by mistake. */
const seedStaysOfToday = async (stage: ExampleStage): Promise<void> => {
  const { deps, host } = stage;
  const now = deps.clock.now();
  const stay = (listing_id: number, from: number, to: number) => ({
    listing_id,
    check_in_date: dateAt(now, from),
    check_out_date: dateAt(now, to),
    guest_number: 2,
  });
  const book = (bookingId: number, item: ReturnType<typeof stay> & { check_out_time?: string }) =>
    bookForGuest(asUser(depsAt(deps, now - 3 * dayMs, order(bookingId)), host), {
      items: [item],
      guest_info: guestInfo,
      payment_method: 'CASH',
    });
  await book(ids.toCheckIn, stay(ids.lakeHouse, 0, 2));
  await book(ids.missed, { ...stay(ids.lakeHouse, -2, 0), check_out_time: endToday(now) });
  await book(ids.toUndo, stay(ids.listing, 0, 2));
  await moveBooking(asUser(deps, host), ids.toUndo, 'check_in');
  await book(ids.toCheckOut, { ...stay(ids.listing, -2, 0), check_out_time: endToday(now) });
  await moveBooking(asUser(depsAt(deps, arrivalAt(now, -2)), host), ids.toCheckOut, 'check_in');
};

/** Stays of the guest that have ended: one to complete, one to review, one with a review. */
const seedPastStays = async (stage: ExampleStage): Promise<void> => {
  const { deps, host, guest } = stage;
  const now = deps.clock.now();
  for (const [bookingId, daysAgo] of [
    [ids.toReviewByLink, 28],
    [ids.reviewed, 22],
    [ids.toReview, 16],
    [ids.toComplete, 10],
  ] as const) {
    const check_in_date = dateAt(now, -daysAgo);
    const check_out_date = dateAt(now, 2 - daysAgo);
    const item = { listing_id: ids.listing, check_in_date, check_out_date, guest_number: 2 };
    await bookAsGuest(stage, bookingId, item, { daysAgo: daysAgo + 4 });
    const arrived = arrivalAt(now, -daysAgo);
    // A day after its check-out a stay is completed by itself.
    const left = bookingId === ids.toComplete ? now - hourMs : departureAt(now, 2 - daysAgo);
    const hostAt = (time: number) => asUser(depsAt(deps, time), host);
    await markPaid(hostAt(arrived), bookingId);
    await moveBooking(hostAt(arrived), bookingId, 'check_in');
    await moveBooking(hostAt(left), bookingId, 'check_out');
    if (bookingId !== ids.toComplete) await moveBooking(hostAt(left + hourMs), bookingId, 'complete');
  }
  const reviewedAt = now - 18 * dayMs;
  await createReview(asUser(depsAt(deps, reviewedAt, ids.review), guest), ids.reviewed, {
    rating: 5,
    comment: 'Nhà sạch, view rừng thông tuyệt đẹp.',
  });
};
