import * as z from 'zod';
import { changedAt } from '../../platform/lists/list-kind.ts';
import { orderIdOf } from '../../platform/ids.ts';
import { defineEntity, defineRecord, type Read, readOf, type RecordOf } from '../../platform/table/index.ts';
import { PostingRecord } from '../folio/model.ts';
import { PaymentMethod } from '../payment/model.ts';
import { BookingState, PaymentStatus } from './booking-state.schema.ts';
import { stayOfVersion1 } from './opened-folio.rules.ts';
import { FrozenTermRecord, GuestRecord, OrderItemRecord, PaymentPlanRecord } from './order.entity.ts';

/** The link of the guest; its token is not stored (D122). */
const GuestLinkRecord = defineRecord(() => ({
  /** How often it was replaced. */
  version: z.int(),
  /** Wrong digits of the telephone number since the right ones. */
  tries: z.int(),
  /** The key that made the booking wants none. */
  is_off: z.literal(true).exactOptional(),
}));
export type GuestLinkState = RecordOf<typeof GuestLinkRecord>;

/** The page on which a security deposit is authorised, or its authorisation (D131). */
const DepositHoldRecord = defineRecord(() => ({
  payment_id: z.int(),
  amount: z.number(),
  /** Of the page; absent: it is authorised. */
  url: z.string().exactOptional(),
  /** Epoch milliseconds: the end of the page. */
  ends_at: z.int().exactOptional(),
  /** Why the host keeps what of it, until the gateway has captured it. */
  note: z.string().exactOptional(),
  /** The stay fell through before its check-in, or its guest did not come: it is released. */
  is_released: z.literal(true).exactOptional(),
}));

/** What a stay was before changes whose price is not paid yet (D147). */
const UnpaidChangeRecord = defineRecord(() => ({
  /** The price before. Once that is paid, the end of `pay_until` does not cancel the stay. */
  total: z.number(),
  /** The stay before, which it becomes again then; absent: its host has changed it, and waits for the rest. */
  item: OrderItemRecord().exactOptional(),
}));

const ReservationRecord = defineRecord(() => ({
  reservation_id: z.int(),
  order_id: z.int(),
  availability_id: z.int(),
  listing_id: z.int(),
  listing_name: z.string(),
  calendar_id: z.int(),
  team_id: z.int(),
  state: BookingState,
  payment_method: PaymentMethod,
  payment_status: PaymentStatus,
  check_in_date: z.string(),
  check_out_date: z.string(),
  /** The listing's local time; `timezone` turns it into an instant. */
  start_at: z.string(),
  end_at: z.string(),
  /**
   * A whole hour of local time before `start_at`, from which a stay takes its time whose guest was checked in earlier (D148); absent:
   * from `start_at`.
   */
  taken_from: z.string().exactOptional(),
  /** Hours after the end that are taken too (D77); absent: none. */
  preparation_hours: z.int().exactOptional(),
  timezone: z.string(),
  nights: z.int(),
  guest_number: z.int(),
  total: z.number(),
  currency: z.string(),
  /** Hours before check-in until which a cancellation refunds in full; null: never. Frozen with the price (D48b). */
  refund_notice_hours: z.int().nullable(),
  /** Absent: all is refunded until then, and nothing later. */
  cancellation_terms: z.array(FrozenTermRecord()).exactOptional(),
  guest: GuestRecord(),
  /** The key that made the external booking (D48, D52). */
  key_id: z.int().nullable(),
  external_system: z.string().nullable(),
  external_booking_id: z.string().nullable(),
  /** The followed calendar that leads its time (D120); absent: no calendar does. */
  feed_id: z.int().exactOptional(),
  /** UTC. */
  created_at: z.string(),
  updated_at: z.string(),
  /** Epoch milliseconds: what is not paid online or by bank transfer by then cancels the stay, or gives up its change (D46, D85, D147). */
  pay_until: z.int().exactOptional(),
  /** Epoch milliseconds: when the schedule cancelled it because no transfer had come in time (D130). */
  lapsed_at: z.int().exactOptional(),
  /** Its payment plan (D129); absent: all is due at booking. */
  plan: PaymentPlanRecord().exactOptional(),
  /** Paid online separately, after its host has accepted it (D86); absent: with its order. */
  pays_apart: z.literal(true).exactOptional(),
  /** A payment token was authorised before the host's acceptance (D86). */
  authorised: z.literal(true).exactOptional(),
  /** Its folio without the first posting, which is of the total (D126); absent: nothing was posted. */
  postings: z.array(PostingRecord()).exactOptional(),
  /** Incremented by each write to postings or `deposit_hold`, when the balance falls due, and with more time to pay; absent: 0. */
  folio_version: z.int().exactOptional(),
  /** How often the stay was changed (D84). */
  changes: z.int().exactOptional(),
  /** The order of a change that waits for its payment. */
  pending_change: z.int().exactOptional(),
  /** Absent: no change has added to the price what is unpaid, or it is not to be paid by a time. */
  unpaid_change: UnpaidChangeRecord().exactOptional(),
  /** The payment on whose page what is due can be paid, as its host has opened it (D127); it may have ended. */
  due_page: z.int().exactOptional(),
  /** Absent: no page for the security deposit is open, and none is authorised. */
  deposit_hold: DepositHoldRecord().exactOptional(),
  /** Epoch milliseconds: the end of the first step before a change, which makes no step end later. */
  refund_until: z.int().exactOptional(),
  /** UTC; when the host let the guest read the access information before the check-in (D109). */
  access_released_at: z.string().exactOptional(),
  /** UTC; set by the check-in, removed when it is undone. */
  checked_in_at: z.string().exactOptional(),
  /** UTC; set by the check-out. */
  checked_out_at: z.string().exactOptional(),
  /** UTC; when the stay became NO_SHOW. */
  no_show_at: z.string().exactOptional(),
  /** COMPLETED by the schedule without a check-in (D83). */
  unattended: z.literal(true).exactOptional(),
  /** Absent: a link that was never replaced. */
  guest_link: GuestLinkRecord().exactOptional(),
  /** The guest's review. */
  review_id: z.int().exactOptional(),
  /** Set if a reason was given. */
  cancel_reason: z.string().exactOptional(),
}));
export type Reservation = RecordOf<typeof ReservationRecord>;

export const teamStays = (teamId: number): string =>
  ReservationEntity.partition({ team_id: teamId }, 'by_team');
export const guestStays = (userId: number): string => `GUEST#${userId}`;

export const ReservationEntity = defineEntity<Reservation, Pick<Reservation, 'order_id' | 'reservation_id'>>({
  name: 'Reservation',
  meaning: 'One booked stay at one listing.',
  patterns: [
    'a reservation by its id',
    "a team's reservations, by their last change",
    "a guest's reservations, by their last change",
  ],
  record: ReservationRecord,
  upgrades: [stayOfVersion1],
  key: { pk: 'ORDER#{order_id}', sk: 'RESERVATION#{reservation_id:sortable}' },
  indexes: [
    { index: 'by_team', pk: 'TEAM#{team_id}#RESERVATIONS', sk: changedAt('{updated_at}') },
    {
      index: 'by_audience',
      pk: 'GUEST#{guest.user_id}',
      sk: changedAt('{updated_at}'),
      when: { says: 'with an account', holds: ({ guest }) => guest.user_id !== null },
    },
  ],
  example: { order_id: 16, reservation_id: 17 },
});

/** Returns the request for a stay by its own id, for `getAll`. */
export const reservationRead = (reservationId: number): Read<Reservation> =>
  readOf(ReservationEntity, { order_id: orderIdOf(reservationId), reservation_id: reservationId });
