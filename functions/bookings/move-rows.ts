import {
  type BookingDetail,
  CancelledBooking,
  CancelRequest,
} from '../../shared/domain/booking/booking.schema.ts';
import { bookingDetailExample } from '../../shared/domain/booking/booking-example.schema.ts';
import { NoShowRequest } from '../../shared/domain/booking/no-show.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { hostMove } from './host-move.ts';

const declined = {
  booking_id: exampleIds.toDecline,
  state: 'CANCELLED',
  status: 'CANCELLED',
  cancel_reason: 'The roof is being repaired.',
} as const;
const missed = { booking_id: exampleIds.missed, state: 'NO_SHOW', status: 'NO_SHOW' } as const;

const endedExample = ({ booking_id, ...reply }: Partial<BookingDetail> & { booking_id: number }) => ({
  ...bookingDetailExample,
  id: booking_id,
  master_reservation_id: booking_id - 1,
  payment_status: 'PENDING' as const,
  ...reply,
  refund: { amount: 0, status: 'NONE' as const },
});

/** The moves of a booking by its hosts (D50, D83). */
export const moveRows = {
  confirmBooking: {
    ...hostMove('confirm', 'manage', 'Accepts a booking that waits for the host', {
      booking_id: exampleIds.toAccept,
    }),
    description:
      'A stay that is to be paid online can be paid from now on: its payment_url is open until payment_expires_at. One whose payment is authorised by a token is charged now, and answered CONFIRMED and PAID; PAYMENT_DECLINED when the bank does not pay: the booking is cancelled then, and its time is free. Nothing but this confirms such a booking. After PAYMENT_GATEWAY_UNAVAILABLE send the same request again.',
    errors: [
      'BOOKING_NOT_FOUND',
      'INVALID_STATE_TRANSITION',
      'PAYMENT_DECLINED',
      'PAYMENT_GATEWAY_UNAVAILABLE',
    ],
  },
  declineBooking: {
    ...hostMove('decline', 'manage', 'Declines a booking that waits for the host', declined),
    description:
      'It is CANCELLED, its time is free, an authorised payment is released and all that was paid is refunded. A master id declines every stay of the order that waits.',
    body: CancelRequest,
    bodyOptional: true,
    reply: CancelledBooking,
    examples: {
      params: { booking_id: declined.booking_id },
      body: { reason: declined.cancel_reason },
      reply: endedExample(declined),
    },
  },
  markNoShow: {
    ...hostMove('no-show', 'manage', 'Closes the booking of a guest who did not come', missed),
    description:
      'From the check-in cut-off of the listing (`no_checkin_after_hour`), else from the midnight after check-in, for 30 days; also of a stay that ended without check-in and was completed by itself. The hours from the next whole hour on are free again. The guest is refunded by the terms frozen with the booking, or `refund_amount` if that is more. A master id closes every stay of the order, and is refused while one of them is too early or too late. NO_SHOW is final.',
    body: NoShowRequest,
    bodyOptional: true,
    reply: CancelledBooking,
    examples: {
      params: { booking_id: missed.booking_id },
      body: { refund_amount: 0 },
      reply: endedExample(missed),
    },
  },
  checkInBooking: {
    ...hostMove(
      'check-in',
      'operate',
      'Checks the guest in, from the check-in date until the stay has ended',
      {
        booking_id: exampleIds.toCheckIn,
        state: 'CHECKED_IN',
        status: 'CHECKED_IN',
      },
    ),
    description:
      'Before `start_at` the hours of the home from the present one on are the guest’s too, at the same price, in the same transaction. LISTING_NOT_AVAILABLE while another stay that is not over, a soft lock or a block of the host has one of them: `details.taken_by` names each. Hours that an imported event or the preparation after a stay takes from the present one on stay theirs.',
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION', 'LISTING_NOT_AVAILABLE'],
  },
  undoCheckIn: {
    ...hostMove(
      'undo-check-in',
      'operate',
      'Undoes a check-in of the last 24 hours: the booking is CONFIRMED again; unpaid after its time to pay it is cancelled',
      { booking_id: exampleIds.toUndo },
    ),
    description: 'Hours before `start_at` that the check-in has taken are free again.',
  },
  checkOutBooking: hostMove(
    'check-out',
    'operate',
    'Checks the guest out; before the end of the stay, its hours from the next whole hour on are free again',
    { booking_id: exampleIds.toCheckOut, state: 'CHECKED_OUT', status: 'CHECKED_OUT' },
  ),
  completeBooking: hostMove('complete', 'operate', 'Completes a stay after check-out', {
    booking_id: exampleIds.toComplete,
    state: 'COMPLETED',
    status: 'COMPLETED',
  }),
  releaseAccess: {
    ...hostMove(
      'release-access',
      'operate',
      'Lets the guest read Wi-Fi and door code although the stay is not paid',
      { booking_id: exampleIds.booking, access: { state: 'AT', at: '2027-02-03T07:00:00.000Z' } },
    ),
    description:
      'From 24 hours before check-in until check-out. A check-in does the same. A master id releases every stay of the order.',
  },
} as const;
