import * as z from 'zod';
import {
  chargedExample,
  correctedExample,
  depositExample,
  folioExample,
  folioPageExample,
  refundedExample,
  returnedExample,
  takenExample,
  unchargedExample,
} from '../../shared/domain/booking/folio-example.schema.ts';
import {
  ChargeRequest,
  correctionQuery,
  DepositRequest,
  ExtendPaymentRequest,
  Folio,
  folioQuery,
  RefundRequest,
  ReturnedRequest,
  TakePaymentRequest,
} from '../../shared/domain/booking/folio.schema.ts';
import { bookingDetailExample } from '../../shared/domain/booking/booking-example.schema.ts';
import { BookingDetail } from '../../shared/domain/booking/booking.schema.ts';
import { DuePage, duePageExample } from '../../shared/domain/payment/due-page.schema.ts';
import {
  Statement,
  statementCsvExample,
  statementExample,
  statementQuery,
} from '../../shared/domain/statement/statement.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { PathId } from '../../shared/platform/schema/schema.ts';
import { bookingId, hostMove } from './host-move.ts';

const postingOf = z.strictObject({ booking_id: PathId, posting_id: PathId });

const ofMoney = { access: 'host', tag: 'Money of bookings' } as const;

/** What posts to the folio of a booking, and answers it. */
const posts = {
  ...ofMoney,
  method: 'POST',
  params: bookingId,
  status: 201,
  reply: Folio,
  errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  idempotent: true,
} as const;

/** What concerns one posting of it. */
const ofPosting = {
  ...ofMoney,
  params: postingOf,
  status: 200,
  reply: Folio,
  errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION', 'NOT_FOUND'],
} as const;

/** What takes one out again, by OWNER and MANAGER. */
const takesOut = { ...ofPosting, method: 'DELETE', permission: 'manage', query: correctionQuery } as const;

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
  getTransferCode: {
    method: 'GET',
    path: '/api/v1/bookings/{booking_id}/transfer-code',
    access: 'customer',
    tag: 'Bookings',
    summary: 'The VietQR code of the bank transfer that is due, as a picture',
    description: 'Its text is `transfer.qr_text` of the booking. For the guest, and the hosts of its team.',
    params: bookingId,
    status: 200,
    reply: { contentType: 'image/svg+xml', meaning: 'A QR code (ISO/IEC 18004).' },
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    examples: {
      params: { booking_id: exampleIds.toTransfer },
      reply: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45"><path d="M4,4h1v1h-1z"/></svg>',
    },
  },
  extendPayment: {
    ...ofMoney,
    method: 'POST',
    path: '/api/v1/bookings/{booking_id}/extend-payment',
    permission: 'manage',
    summary: 'Gives the guest more time for a bank transfer',
    description:
      'So many hours more, not beyond check-in. INVALID_STATE_TRANSITION where no transfer with a time limit is due.',
    params: bookingId,
    body: ExtendPaymentRequest,
    status: 200,
    reply: BookingDetail,
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: {
      params: { booking_id: exampleIds.toTransfer },
      body: { hours: 24 },
      reply: {
        ...bookingDetailExample,
        ...{ id: exampleIds.toTransfer, payment_method: 'BANK_TRANSFER', payment_status: 'PENDING' },
        payment_expires_at: '2027-01-19T03:00:00.000Z',
      },
    },
  },
  takePayment: {
    ...posts,
    path: '/api/v1/bookings/{booking_id}/payments',
    permission: 'operate',
    summary: 'Records money that was taken for a booking, also a part of what is due',
    description:
      'The booking is PAID once nothing is due; after a part it is not cancelled for want of the rest. More than is due is refused unless `overpaid` is true. Of a master id the stays are paid in their order, what is due now of each first. Refused while the host has not accepted the booking, and while the guest may still pay online.',
    body: TakePaymentRequest,
    examples: {
      params: { booking_id: exampleIds.toPayInPart },
      body: { amount: 500_000, method: 'CASH', reference: 'Receipt 118' },
      reply: takenExample,
    },
  },
  correctPayment: {
    ...takesOut,
    path: '/api/v1/bookings/{booking_id}/payments/{posting_id}',
    summary: 'Takes out a payment that a host recorded by mistake',
    description:
      'Its amount is due again; both stay in the folio. A payment that was refunded cannot be taken out, nor one that came through the gateway: refund that.',
    examples: {
      params: { booking_id: exampleIds.paidByMistake, posting_id: 1 },
      query: { reason: 'It was of another booking.' },
      reply: correctedExample,
    },
  },
  openDuePage: {
    ...posts,
    path: '/api/v1/bookings/{booking_id}/payment-page',
    permission: 'operate',
    summary: 'Opens a page on which the guest pays what is due',
    description:
      'After a charge, a change or an adjustment that is due, or in place of a payment on site. The guest gets it by mail, and `payment_url` of the booking is this page while it is open. Asked for again, it is the same page while the amount is the same. You may still take the money yourself: what is paid twice is refunded.',
    reply: DuePage,
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PAYMENT_GATEWAY_UNAVAILABLE'],
    examples: {
      params: { booking_id: exampleIds.toPayOnline },
      reply: duePageExample,
    },
  },
  addCharge: {
    ...posts,
    path: '/api/v1/bookings/{booking_id}/charges',
    permission: 'operate',
    summary: 'Charges a booking for something beside its price, such as the minibar',
    description:
      'It is due at once, also after the stay; it changes neither the price nor the terms of a cancellation, which takes all charges out. Take the money with `payments`. Refused before the host has accepted the booking, while the guest may still pay online, and once it fell through.',
    body: ChargeRequest,
    examples: {
      params: { booking_id: exampleIds.toCharge },
      body: { label: 'Minibar', amount: 30_000, quantity: 2 },
      reply: chargedExample,
    },
  },
  removeCharge: {
    ...takesOut,
    path: '/api/v1/bookings/{booking_id}/charges/{posting_id}',
    summary: 'Takes a charge out again',
    description: 'What was paid for it is credit, which can be refunded.',
    examples: {
      params: { booking_id: exampleIds.chargedByMistake, posting_id: 1 },
      query: { reason: 'It was of another room.' },
      reply: unchargedExample,
    },
  },
  changeSecurityDeposit: {
    ...posts,
    path: '/api/v1/bookings/{booking_id}/security-deposit',
    permission: 'operate',
    summary: 'Takes, returns or keeps the security deposit of a booking, or a part of it',
    description:
      'It is apart from price and payments: nothing is due for it, and no cancellation refunds it. Together at most what was frozen with the booking is taken, after the host has accepted it and until it is completed; what is held is returned or kept at any time. Only OWNER and MANAGER keep; the guest gets a mail with the reason. By `ONLINE_GATEWAY`, from 48 hours before check-in, TAKE opens a page on which the guest authorises it (`security_deposit.payment_url`), RETURN releases all of it, and KEEP captures what is kept and releases the rest; it is released by itself 48 hours after check-out, and once the booking is cancelled before check-in or the guest did not come.',
    body: DepositRequest,
    errors: [
      'BOOKING_NOT_FOUND',
      'INVALID_STATE_TRANSITION',
      'PAYMENT_DECLINED',
      'PAYMENT_GATEWAY_UNAVAILABLE',
    ],
    examples: {
      params: { booking_id: exampleIds.withDeposit },
      body: { action: 'KEEP', amount: 200_000, note: 'A broken lamp' },
      reply: depositExample,
    },
  },
  refundBooking: {
    ...posts,
    path: '/api/v1/bookings/{booking_id}/refunds',
    permission: 'manage',
    summary: 'Refunds what was paid above the price, or was kept of a booking that fell through',
    description:
      'What came through the gateway goes back through it, unless `method` says that you hand it over; the newest payment goes back first, unless `posting_id` names one. What you have to hand over is `to_return` until you say that it is returned. To refund a part of the price, lower it by an adjustment.',
    body: RefundRequest,
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION', 'NOT_FOUND'],
    examples: {
      params: { booking_id: exampleIds.toRefund },
      body: { amount: 50_000, reason: 'Paid twice' },
      reply: refundedExample,
    },
  },
  returnRefund: {
    ...ofPosting,
    method: 'POST',
    path: '/api/v1/bookings/{booking_id}/refunds/{posting_id}/returned',
    permission: 'operate',
    summary: 'Notes that a refund was handed over to the guest',
    body: ReturnedRequest,
    bodyOptional: true,
    idempotent: true,
    examples: {
      params: { booking_id: exampleIds.toReturn, posting_id: 3 },
      body: { method: 'CASH', reference: 'Receipt 121' },
      reply: returnedExample,
    },
  },
  getFolio: {
    ...ofMoney,
    method: 'GET',
    path: '/api/v1/bookings/{booking_id}/folio',
    permission: 'read',
    summary: 'What a booking cost, and every payment and refund of it',
    description:
      'Of a master id, that of all its stays. A refund is in it once it is made. With `format=html` it is one page to print, in Vietnamese or English: a receipt, or while something is due, now or later, the draft of an invoice, with the lines of the price, charges, payments and refunds, and the security deposit apart. It is no tax invoice.',
    params: bookingId,
    query: folioQuery,
    status: 200,
    reply: Folio,
    alternative: {
      contentType: 'text/html; charset=utf-8',
      meaning: 'The page, for `format=html`; it runs no script and loads nothing.',
      example: folioPageExample,
    },
    errors: ['BOOKING_NOT_FOUND'],
    examples: { reply: folioExample },
  },
  readStatement: {
    ...ofMoney,
    method: 'GET',
    path: '/api/v1/statements',
    permission: 'own',
    summary: 'What a month has brought the acting team, by listing',
    description:
      'It sums the postings of the month in the time zone of each listing, as `folio` shows them, and counts the nights sold; money that came before its booking counts on the day of the booking. A refund counts in the month in which it was decided, also when it is handed over later. What has changed in the last seconds may be missing. Months from which stays can be booked now are the last ones.',
    query: statementQuery,
    status: 200,
    reply: Statement,
    alternative: {
      contentType: 'text/csv; charset=utf-8',
      meaning: 'The rows with a header, for `format=csv`; null is empty.',
      example: statementCsvExample,
    },
    errors: [],
    examples: { query: { month: '2027-02' }, reply: statementExample },
  },
} as const;
