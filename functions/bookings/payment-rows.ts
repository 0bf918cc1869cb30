import * as z from 'zod';
import {
  correctedExample,
  folioExample,
  takenExample,
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
    method: 'POST',
    path: '/api/v1/bookings/{booking_id}/payments',
    access: 'host',
    permission: 'operate',
    tag: 'Bookings',
    summary: 'Records money that was taken for a booking, also a part of what is due',
    description:
      'The booking is PAID once nothing is due; after a part it is not cancelled for want of the rest. More than is due is refused unless `overpaid` is true. Of a master id the stays are paid in their order. Refused while the host has not accepted the booking, and while the guest may still pay online.',
    params: bookingId,
    body: TakePaymentRequest,
    status: 201,
    reply: Folio,
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: {
      params: { booking_id: exampleIds.toPayInPart },
      body: { amount: 500_000, method: 'CASH', reference: 'Receipt 118' },
      reply: takenExample,
    },
  },
  correctPayment: {
    method: 'DELETE',
    path: '/api/v1/bookings/{booking_id}/payments/{posting_id}',
    access: 'host',
    permission: 'manage',
    tag: 'Bookings',
    summary: 'Takes out a payment that a host recorded by mistake',
    description:
      'Its amount is due again; both stay in the folio. A payment that was refunded cannot be taken out, nor one that came through the gateway: refund that.',
    params: z.strictObject({ booking_id: PathId, posting_id: PathId }),
    query: correctPaymentQuery,
    status: 200,
    reply: Folio,
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION', 'NOT_FOUND'],
    examples: {
      params: { booking_id: exampleIds.paidByMistake, posting_id: 1 },
      query: { reason: 'It was of another booking.' },
      reply: correctedExample,
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
