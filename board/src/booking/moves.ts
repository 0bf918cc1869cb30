import type { ReadBooking, TakePayment } from '@nightlatch/client';
import { api } from '../session/session.ts';

/** What a form asks for. */
export type FieldName = 'reason' | 'refund_amount' | 'amount' | 'method' | 'reference' | 'label' | 'hours';

type Fields = Readonly<Record<string, string>>;

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
const number = (text: string | undefined): number | undefined => {
  const written = given(text);
  return written === undefined ? undefined : Number(written);
};

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
    send: ({ id }, { amount, method, reference }, idempotencyKey) =>
      api().takePayment(
        {
          booking_id: id,
          amount: number(amount) ?? 0,
          method: method as TakePayment['method'],
          reference: given(reference),
        },
        { idempotencyKey },
      ),
  },
  ADD_CHARGE: {
    look: 'plain',
    fields: ['label', 'amount'],
    send: ({ id }, { label, amount }, idempotencyKey) =>
      api().addCharge(
        { booking_id: id, label: given(label) ?? '', amount: number(amount) ?? 0 },
        { idempotencyKey },
      ),
  },
  EXTEND_PAYMENT: {
    look: 'plain',
    fields: ['hours'],
    send: ({ id }, { hours }, idempotencyKey) =>
      api().extendPayment({ booking_id: id, hours: number(hours) ?? 0 }, { idempotencyKey }),
  },
  RELEASE_ACCESS: {
    look: 'plain',
    fields: [],
    isFinal: true,
    send: ({ id }, _, idempotencyKey) => api().releaseAccess({ booking_id: id }, { idempotencyKey }),
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
    send: ({ id }, fields, idempotencyKey) =>
      api().markNoShow(
        { booking_id: id, refund_amount: number(fields['refund_amount']) },
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
