/** The states of an order's online payment. What goes back of it are refunds, each with a state of its own. */
export type PaymentState = 'OPEN' | 'CHARGING' | 'PAID' | 'FAILED' | 'EXPIRED' | 'REFUNDED';

/** The moves of a payment: conditions, refusals and the diagram come from here. */
export const paymentMoves = {
  // Also from where nothing was expected any more: the money came in, and goes back.
  pay: { from: ['OPEN', 'CHARGING', 'EXPIRED', 'FAILED'], to: 'PAID' },
  decline: { from: ['CHARGING'], to: 'FAILED' },
  expire: { from: ['OPEN'], to: 'EXPIRED' },
  refund: { from: ['PAID'], to: 'REFUNDED' },
} as const satisfies Record<string, { from: readonly PaymentState[]; to: PaymentState }>;

export type PaymentMove = keyof typeof paymentMoves;

export const mayMovePayment = (state: PaymentState, move: PaymentMove): boolean =>
  (paymentMoves[move].from as readonly PaymentState[]).includes(state);
