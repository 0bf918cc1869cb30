import * as z from 'zod';
import { BookingDetail } from '../../shared/domain/booking/booking.schema.ts';
import {
  bookingDetailExample,
  bookingExample,
  folioExample,
} from '../../shared/domain/booking/booking-example.schema.ts';
import { correctPaymentQuery, Folio, TakePaymentRequest } from '../../shared/domain/booking/folio.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { PathId } from '../../shared/platform/schema/schema.ts';
import { bookingId, hostMove } from './host-move.ts';

/** What a host takes for bookings, and their folios (D50, D126, D127). */
export const paymentRows = {
  markBookingPaid: hostMove(
    'mark-paid',
    'manage',
    'Notes that all that is due was paid on site or by transfer',
    {
      booking_id: exampleIds.toPay,
      payment_status: 'PAID',
    },
  ),
  takePayment: {
    ...hostMove(
      'payments',
      'operate',
      'Records money that was taken for a booking, a part of what is due too',
      {
        booking_id: exampleIds.toPayInPart,
        payment_status: 'PENDING',
        amount_due: bookingExample.total_price - 500_000,
        amount_paid: 500_000,
        secured: false,
      },
    ),
    description:
      'The booking is PAID once nothing is due; until then it is not cancelled for want of the rest. More than is due is refused unless `overpaid` is true. Of a master id the stays are paid in their order. Refused while the host has not accepted the booking, and while the guest may still pay online.',
    body: TakePaymentRequest,
    examples: {
      params: { booking_id: exampleIds.toPayInPart },
      body: { amount: 500_000, method: 'CASH', reference: 'Receipt 118' },
      reply: {
        ...bookingDetailExample,
        id: exampleIds.toPayInPart,
        master_reservation_id: exampleIds.toPayInPart - 1,
        payment_status: 'PENDING',
        amount_due: bookingExample.total_price - 500_000,
        amount_paid: 500_000,
        secured: false,
      },
    },
    status: 201,
  },
  correctPayment: {
    method: 'DELETE',
    path: '/api/v1/bookings/{booking_id}/payments/{payment}',
    access: 'host',
    permission: 'manage',
    tag: 'Bookings',
    summary: 'Takes out a payment that the host recorded by mistake',
    description:
      'Its amount is due again. Both stay in the folio. `payment` is the `id` of its posting there. A payment that was refunded cannot be taken out, nor one that came through the gateway: refund that.',
    params: z.strictObject({ booking_id: PathId, payment: PathId }),
    query: correctPaymentQuery,
    status: 200,
    reply: BookingDetail,
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION', 'NOT_FOUND'],
    examples: {
      params: { booking_id: exampleIds.paidByMistake, payment: 1 },
      query: { reason: 'It was of another booking.' },
      reply: {
        ...bookingDetailExample,
        id: exampleIds.paidByMistake,
        master_reservation_id: exampleIds.paidByMistake - 1,
        payment_status: 'PENDING',
        amount_due: bookingExample.total_price,
        amount_paid: 0,
        secured: false,
      },
    },
  },
  getFolio: {
    method: 'GET',
    path: '/api/v1/bookings/{booking_id}/folio',
    access: 'host',
    permission: 'read',
    tag: 'Bookings',
    summary: 'What a booking cost, and every payment and refund of it',
    description: 'Of a master id, that of all its stays. A refund is in it once it is made.',
    params: bookingId,
    status: 200,
    reply: Folio,
    errors: ['BOOKING_NOT_FOUND'],
    examples: { reply: folioExample },
  },
} as const;
