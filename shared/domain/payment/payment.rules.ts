/** The states of an online payment. Refunds have states of their own. */
export const paymentStates = [
  'OPEN',
  'CHARGING',
  'AUTHORISED',
  'CAPTURING',
  'PAID',
  'FAILED',
  'EXPIRED',
  'VOIDED',
  'REFUNDED',
] as const;
type PaymentState = (typeof paymentStates)[number];

/** The state transitions of a payment; conditions, errors and the diagram are derived from them. */
export const paymentMoves = {
  // Also from final states: a late payment is recorded and refunded.
  pay: {
    from: ['OPEN', 'CHARGING', 'AUTHORISED', 'CAPTURING', 'EXPIRED', 'FAILED', 'VOIDED'],
    to: 'PAID',
  },
  // By token, for a stay that its host must accept; the acceptance captures it (D86). On a page: a security deposit (D131).
  authorise: { from: ['OPEN', 'CHARGING'], to: 'AUTHORISED' },
  capture: { from: ['AUTHORISED'], to: 'CAPTURING' },
  void: { from: ['AUTHORISED', 'CAPTURING'], to: 'VOIDED' },
  decline: { from: ['CHARGING'], to: 'FAILED' },
  expire: { from: ['OPEN'], to: 'EXPIRED' },
  refund: { from: ['PAID'], to: 'REFUNDED' },
} as const satisfies Record<string, { from: readonly PaymentState[]; to: PaymentState }>;

export type PaymentMove = keyof typeof paymentMoves;

export const mayMovePayment = (state: PaymentState, move: PaymentMove): boolean =>
  (paymentMoves[move].from as readonly PaymentState[]).includes(state);
