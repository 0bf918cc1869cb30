import * as z from 'zod';
import { type PartnerCaller, callerRef } from '../../platform/auth.ts';
import { ServiceError } from '../../platform/errors.ts';
import { defineEntity, defineRecord, readOf, type RecordOf } from '../../platform/table/index.ts';
import { type Order, OrderEntity, StayRequestRecord } from '../booking/model.ts';

const QuoteRecord = defineRecord(() => ({
  /** Also the id of the order that a hold or a booking makes of it, so that it is used once. */
  quote_id: z.int(),
  /** The caller's reference. */
  holder: z.string(),
  items: z.array(StayRequestRecord()),
  currency: z.string(),
  /** Epoch milliseconds. */
  valid_until: z.int(),
}));
export type Quote = RecordOf<typeof QuoteRecord>;

export const QuoteEntity = defineEntity<Quote, Pick<Quote, 'quote_id'>>({
  name: 'Quote',
  meaning: 'The stays that a partner has a price for; its hold and its booking are the order of the same id.',
  patterns: ['what does this quote ask for?'],
  record: QuoteRecord,
  key: { pk: 'QUOTE#{quote_id}', sk: 'QUOTE' },
  // For one more day a quote answers that it has expired, not that there is none.
  expiresAt: ({ valid_until }) => Math.ceil(valid_until / 1000) + 86_400,
  example: { quote_id: 1 },
});

/** Returns the reads of a quote and of the order that it may have become. */
export const quoteReads = (quoteId: number) =>
  [[readOf(QuoteEntity, { quote_id: quoteId })], [readOf(OrderEntity, { order_id: quoteId })]] as const;

export interface FoundQuote {
  quote: Quote;
  /** Present once the quote was held or booked. */
  order: Order | undefined;
}

/** Returns what was read of a quote of the caller's key. Throws NOT_FOUND for the quotes of other keys. */
export const requireQuote = (
  caller: PartnerCaller,
  [quote]: readonly (Quote | undefined)[],
  [order]: readonly (Order | undefined)[],
): FoundQuote => {
  const holder = callerRef(caller);
  if (quote?.holder !== holder) throw new ServiceError('NOT_FOUND', 'There is no such quote.');
  return { quote, order: order?.holder === holder ? order : undefined };
};
