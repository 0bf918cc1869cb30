/** A mistake that a review planted, with its mutants or its test. */
interface Reviewed {
  name: string;
  mutants?: readonly string[];
  test?: { file: string; name: string };
}

const heldConditions = 'test/table/held-conditions.test.ts';

export const reviewed: readonly Reviewed[] = [
  {
    name: 'a cancellation does not check that the payment is as it was read',
    mutants: ['shared/domain/booking/cancel-booking.ts cancelWrites: unchangedSince(before) → always'],
    test: {
      file: heldConditions,
      name: 'a payment comes in: the cancellation is decided anew and refunds it',
    },
  },
  {
    name: 'an event is appended to a page of the feed that is closed',
    mutants: ["shared/domain/webhook/append-event.ts replacePage: equals('closed_at', null) → always"],
  },
  {
    name: 'an unpaid booking is cancelled without asking the gateway',
    test: {
      file: 'test/table/page-payment.test.ts',
      name: 'keeps the booking, CONFIRMED and PAID: the gateway is asked before anything is cancelled',
    },
  },
  {
    name: 'an event is marked as handled whether it was or not',
    mutants: [
      'shared/platform/events/run-once.ts markHandled: create(HandledEventEntity, mark, () => new AlreadyHandled(handling)) → overwrites',
    ],
  },
  {
    name: 'a refund is noted as made whatever its state',
    mutants: ["shared/domain/payment/refunds.ts moveRefund: equals('state', from) → always"],
  },
  {
    name: 'a payment is written over what another has written',
    mutants: [
      "shared/domain/payment/payment.store.ts changePayment: equals('version', payment.version) → always",
    ],
  },
  {
    name: 'a month of the calendar is written over what another has written',
    mutants: [
      'shared/domain/calendar/draft-month.store.ts monthWrite.guard: all(...conditions) → always',
      'shared/domain/calendar/draft-month.store.ts monthWrite: create(CalendarMonthEntity, newMonth(month, raised), onConflict) → overwrites',
      "shared/domain/calendar/replace-months.store.ts replacingWrites: equals('version', before?.version) → always",
      'shared/domain/calendar/confirm-holds.ts rewriteHolds.heldWrite: ...locks.map((lock) => atLeast(`${lock}.until`, now + 1)) → always',
    ],
  },
  {
    name: 'a booking that is confirmed under its lock keeps its hours from search',
    test: { file: heldConditions, name: 'takes its hours from search too' },
  },
];
