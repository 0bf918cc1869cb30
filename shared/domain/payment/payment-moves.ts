/** The states of an order's online payment. What goes back of it are refunds, each with a state of its own. */
export type PaymentState =
  'OPEN' | 'CHARGING' | 'AUTHORISED' | 'CAPTURING' | 'PAID' | 'FAILED' | 'EXPIRED' | 'VOIDED' | 'REFUNDED';

/** The moves of a payment: conditions, refusals and the diagram come from here. */
export const paymentMoves = {
  // Also from where nothing was expected any more: the money came in, and goes back.
  pay: {
    from: ['OPEN', 'CHARGING', 'AUTHORISED', 'CAPTURING', 'EXPIRED', 'FAILED', 'VOIDED'],
    to: 'PAID',
  },
  // By token, of a stay that its host has yet to accept; the acceptance captures it (D86).
  authorise: { from: ['CHARGING'], to: 'AUTHORISED' },
  capture: { from: ['AUTHORISED'], to: 'CAPTURING' },
  void: { from: ['AUTHORISED', 'CAPTURING'], to: 'VOIDED' },
  decline: { from: ['CHARGING'], to: 'FAILED' },
  expire: { from: ['OPEN'], to: 'EXPIRED' },
  refund: { from: ['PAID'], to: 'REFUNDED' },
} as const satisfies Record<string, { from: readonly PaymentState[]; to: PaymentState }>;

export type PaymentMove = keyof typeof paymentMoves;

export const mayMovePayment = (state: PaymentState, move: PaymentMove): boolean =>
  (paymentMoves[move].from as readonly PaymentState[]).includes(state);
