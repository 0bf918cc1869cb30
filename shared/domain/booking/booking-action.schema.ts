import * as z from 'zod';

/** What is done with a booking, each value named after its operation (D142). */
export const BookingAction = z
  .enum([
    ...(['CONFIRM', 'DECLINE', 'CHECK_IN', 'UNDO_CHECK_IN', 'CHECK_OUT', 'COMPLETE', 'NO_SHOW'] as const),
    ...(['CANCEL', 'CHANGE', 'RELEASE_ACCESS', 'MARK_PAID', 'TAKE_PAYMENT', 'OPEN_PAYMENT_PAGE'] as const),
    ...(['ADD_CHARGE', 'REFUND', 'EXTEND_PAYMENT', 'TAKE_DEPOSIT', 'RETURN_DEPOSIT'] as const),
    ...(['KEEP_DEPOSIT', 'ROTATE_GUEST_LINK', 'REVIEW', 'CORRECT_GUEST', 'RETURN_REFUND'] as const),
  ])
  .meta({
    id: 'BookingAction',
    description:
      'Named after its operation. CHANGE: not of the price alone. OPEN_PAYMENT_PAGE: also `POST /guest/pay`. More may come.',
  });
export type BookingAction = z.infer<typeof BookingAction>;

export const allowedActionsFields = {
  allowed_actions: z.array(BookingAction).meta({
    description: 'What the caller may do with it now; a request can still lose a race.',
  }),
};
