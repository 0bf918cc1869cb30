import type { ChangeSecurityDeposit, ReadBooking, ReturnRefund, TakePayment } from '@nightlatch/client';
import type { Fields } from '../data/drafts.ts';
import { api } from '../session/session.ts';
import { readAmount } from './amount.ts';
import { correctionFields, correctionRequest } from './correction.ts';

/** What a form asks for. */
export type FieldName =
  | 'reason'
  | 'refund_amount'
  | 'amount'
  | 'method'
  | 'reference'
  | 'label'
  | 'hours'
  | (typeof correctionFields)[number];

/** Something that a host does with a booking. */
export interface Move {
  look: 'primary' | 'plain' | 'danger';
  /** Asked before it is sent; a move without a question can be undone. */
  fields?: readonly FieldName[];
  isFinal?: boolean;
  send: (booking: ReadBooking, fields: Fields, key: string) => Promise<unknown>;
}

const given = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim();

/** An amount that the form has found readable. */
const amountOf = (text: string | undefined, { currency }: ReadBooking): number | undefined =>
  given(text) === undefined ? undefined : readAmount(given(text) ?? '', currency);

/** The moves that the board offers, in their order; which of them a booking allows, it says itself. */
export const moves = {
  CONFIRM: {
    look: 'primary',
    fields: [],
    send: ({ id }, _, idempotencyKey) => api().confirmBooking({ booking_id: id }, { idempotencyKey }),
  },
  CHECK_IN: {
    look: 'primary',
    send: ({ id }, _, idempotencyKey) => api().checkInBooking({ booking_id: id }, { idempotencyKey }),
  },
  CHECK_OUT: {
    look: 'primary',
    fields: [],
    isFinal: true,
    send: ({ id }, _, idempotencyKey) => api().checkOutBooking({ booking_id: id }, { idempotencyKey }),
  },
  COMPLETE: {
    look: 'plain',
    fields: [],
    isFinal: true,
    send: ({ id }, _, idempotencyKey) => api().completeBooking({ booking_id: id }, { idempotencyKey }),
  },
  TAKE_PAYMENT: {
    look: 'primary',
    fields: ['amount', 'method', 'reference'],
    send: (booking, { amount, method, reference }, idempotencyKey) =>
      api().takePayment(
        {
          booking_id: booking.id,
          amount: amountOf(amount, booking) ?? 0,
          method: method as TakePayment['method'],
          reference: given(reference),
        },
        { idempotencyKey },
      ),
  },
  RETURN_REFUND: {
    look: 'primary',
    fields: ['method', 'reference'],
    send: ({ id }, { posting_id, method, reference }, idempotencyKey) =>
      api().returnRefund(
        {
          ...{ booking_id: id, posting_id: Number(posting_id) },
          ...{ method: method as ReturnRefund['method'], reference: given(reference) },
        },
        { idempotencyKey },
      ),
  },
  RETURN_DEPOSIT: {
    look: 'primary',
    fields: ['amount', 'method'],
    send: (booking, { amount, method }, idempotencyKey) =>
      api().changeSecurityDeposit(
        {
          ...{ booking_id: booking.id, action: 'RETURN', amount: amountOf(amount, booking) ?? 0 },
          method: method as ChangeSecurityDeposit['method'],
        },
        { idempotencyKey },
      ),
  },
  ADD_CHARGE: {
    look: 'plain',
    fields: ['label', 'amount'],
    send: (booking, { label, amount }, idempotencyKey) =>
      api().addCharge(
        { booking_id: booking.id, label: given(label) ?? '', amount: amountOf(amount, booking) ?? 0 },
        { idempotencyKey },
      ),
  },
  EXTEND_PAYMENT: {
    look: 'plain',
    fields: ['hours'],
    send: ({ id }, { hours }, idempotencyKey) =>
      api().extendPayment({ booking_id: id, hours: Number(hours) }, { idempotencyKey }),
  },
  RELEASE_ACCESS: {
    look: 'plain',
    fields: [],
    isFinal: true,
    send: ({ id }, _, idempotencyKey) => api().releaseAccess({ booking_id: id }, { idempotencyKey }),
  },
  CORRECT_GUEST: {
    look: 'plain',
    fields: correctionFields,
    send: (booking, fields, idempotencyKey) =>
      api().correctGuest(correctionRequest(booking, fields), { idempotencyKey }),
  },
  UNDO_CHECK_IN: {
    look: 'plain',
    send: ({ id }, _, idempotencyKey) => api().undoCheckIn({ booking_id: id }, { idempotencyKey }),
  },
  DECLINE: {
    look: 'danger',
    fields: ['reason'],
    isFinal: true,
    send: ({ id }, { reason }, idempotencyKey) =>
      api().declineBooking({ booking_id: id, reason: given(reason) }, { idempotencyKey }),
  },
  NO_SHOW: {
    look: 'danger',
    fields: ['refund_amount'],
    isFinal: true,
    send: (booking, fields, idempotencyKey) =>
      api().markNoShow(
        { booking_id: booking.id, refund_amount: amountOf(fields['refund_amount'], booking) },
        { idempotencyKey },
      ),
  },
  CANCEL: {
    look: 'danger',
    fields: ['reason'],
    isFinal: true,
    send: ({ id }, { reason }, idempotencyKey) =>
      api().cancelBooking({ booking_id: id, reason: given(reason) }, { idempotencyKey }),
  },
} as const satisfies Record<string, Move>;

export type MoveName = keyof typeof moves;
export const moveNames = Object.keys(moves) as MoveName[];
