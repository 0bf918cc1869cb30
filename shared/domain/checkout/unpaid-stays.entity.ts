import { defineEntity } from '../../platform/table/index.ts';

/** The stays that a customer booked and had not paid then: what the limit of D85 is counted on. */
export interface UnpaidStays {
  user_id: number;
  version: number;
  /** By reservation id: when the stay begins, or ends where it had begun when it was booked; in epoch milliseconds. */
  begins: Record<string, number>;
}

export const UnpaidStaysEntity = defineEntity<UnpaidStays, Pick<UnpaidStays, 'user_id'>>({
  name: 'UnpaidStays',
  meaning: 'The future stays that a customer has booked without paying.',
  patterns: ['how many future stays of this customer are unpaid?'],
  key: ({ user_id }) => ({ pk: `UNPAID#${user_id}`, sk: 'UNPAID' }),
  expiresAt: ({ begins }) => Math.ceil(Math.max(0, ...Object.values(begins)) / 1000) + 86_400,
  example: { user_id: 1 },
});
