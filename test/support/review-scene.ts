import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import type { BookingState } from '../../shared/domain/booking/booking-state.schema.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import type { Review } from '../../shared/domain/listing/review.schema.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import type { PageOf } from '../../shared/platform/schema/schema.ts';
import { change, present } from '../../shared/platform/table/index.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import type { Asked } from './api.ts';
import { ok, stay, type ReplyOf, type Who } from './order-scene.ts';
import { searchScene } from './search-scene.ts';

/** The search scene with completed stays and their reviews. */
export const reviewScene = async () => {
  const scene = await searchScene();
  const { call, deps } = scene;
  let nights = 0;
  const become = (id: number, state: BookingState): Promise<void> =>
    deps.table.transact([
      change(
        ReservationEntity,
        { order_id: orderIdOf(id), reservation_id: id },
        { set: { state } },
        { when: present() },
      ),
    ]);
  /** Books a stay on a night that no other stay of the test has. */
  const booked = async (who: Who, listing: Pick<Listing, 'id'>): Promise<number> => {
    const check_in_date = addDays('2027-01-20', nights++ % 300);
    const items = [stay(listing, { check_in_date, check_out_date: addDays(check_in_date, 1) })];
    const { reservations } = ok(await scene.confirm(who, { items, payment_method: 'CASH' }), 201);
    return reservations[0]!.id;
  };
  const over = async (who: Who, listing: Pick<Listing, 'id'>): Promise<number> => {
    const id = await booked(who, listing);
    await become(id, 'COMPLETED');
    return id;
  };
  const review = (who: Asked, bookingId: number, body: object, headers: Record<string, string> = {}) =>
    call('POST', `/api/v1/bookings/${bookingId}/review`, { ...who, body, headers }) as Promise<
      ReplyOf<Review>
    >;
  const reviews = (who: Asked, listing: Pick<Listing, 'id'>, query: Asked['query'] = {}) =>
    call('GET', `/api/v1/listings/${listing.id}/reviews`, { ...who, query }) as Promise<
      ReplyOf<PageOf<Review>>
    >;
  const reply = (who: Asked, reviewId: number, body: object, headers: Record<string, string> = {}) =>
    call('POST', `/api/v1/reviews/${reviewId}/reply`, { ...who, body, headers }) as Promise<ReplyOf<Review>>;
  /** Returns the review figures of the listing. */
  const figures = async (listing: Pick<Listing, 'id'>, who: Who = scene.other) => {
    const { rating_average, review_count } = ok(
      await scene.get<Listing>(who, `/api/v1/listings/${listing.id}`),
    );
    return { rating_average, review_count };
  };
  return Object.assign(scene, { become, booked, over, review, reviews, reply, figures });
};
export type ReviewScene = Awaited<ReturnType<typeof reviewScene>>;
