import * as z from 'zod';
import { HoldRequest, Quote, QuoteHold } from '../../shared/domain/checkout/checkout.schema.ts';
import { checkoutExample, nightPreviewExample } from '../../shared/domain/pricing/quote-example.schema.ts';
import { PreviewRequest } from '../../shared/domain/pricing/quote.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import type { Routes } from '../../shared/platform/http/route.ts';
import { Id, PathId } from '../../shared/platform/schema/schema.ts';

const quoteId = z.strictObject({ quote_id: PathId });

const { locked_until, items } = checkoutExample;
const holdExample = (quote_id: number) => ({
  quote_id,
  locked_until,
  items: items.map((held) => ({ ...held, end_at: '2027-02-05T12:00:00' })),
  preview: nightPreviewExample,
});

/** From a price to a hold with a key alone; `POST /external/bookings` books it (D92). */
export const externalQuoteRows = {
  createQuote: {
    method: 'POST',
    path: '/api/v1/external/quotes',
    access: 'partner',
    scope: 'book',
    objective: 'booking',
    tag: 'External API',
    summary: 'What an order would cost, line by line, and whether its time is free',
    description:
      'Valid for 30 minutes. It holds neither time nor price: hold it, or send `expected_total` with the booking. Time that the key holds for another guest is not free.',
    body: PreviewRequest,
    status: 201,
    reply: Quote,
    errors: ['EXTERNAL_LISTING_NOT_ACCESSIBLE', 'STAY_NOT_ALLOWED'],
    idempotent: true,
    examples: {
      body: {
        items: [
          {
            listing_id: exampleIds.listing,
            check_in_date: '2027-02-04',
            check_out_date: '2027-02-05',
            guest_number: 2,
          },
        ],
      },
      reply: { quote_id: exampleIds.quote, expires_at: '2027-01-20T08:30:00.000Z', ...nightPreviewExample },
    },
  },
  holdQuote: {
    method: 'POST',
    path: '/api/v1/external/quotes/{quote_id}/hold',
    access: 'partner',
    scope: 'book',
    objective: 'booking',
    tag: 'External API',
    summary: 'Soft-locks the time of a quote for 15 minutes, at the price of this moment',
    description:
      'All or nothing. The answer has the price that is held, which is what the booking costs. A quote is held once; at most 50 holds of a key may be live.',
    params: quoteId,
    body: HoldRequest,
    bodyOptional: true,
    status: 201,
    reply: QuoteHold,
    errors: [
      'NOT_FOUND',
      'EXTERNAL_LISTING_NOT_ACCESSIBLE',
      'LISTING_NOT_AVAILABLE',
      'STAY_NOT_ALLOWED',
      'PRICE_CHANGED',
      'INVALID_STATE_TRANSITION',
      'CHECKOUT_EXPIRED',
    ],
    idempotent: true,
    examples: { body: {}, reply: holdExample(exampleIds.quote) },
  },
  extendQuote: {
    method: 'POST',
    path: '/api/v1/external/quotes/{quote_id}/hold/extend',
    access: 'partner',
    scope: 'book',
    objective: 'booking',
    tag: 'External API',
    summary: 'Gives a live hold another 15 minutes, once',
    params: quoteId,
    status: 200,
    reply: QuoteHold,
    errors: ['NOT_FOUND', 'CHECKOUT_EXPIRED', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: {
      params: { quote_id: exampleIds.quoteToExtend },
      reply: holdExample(exampleIds.quoteToExtend),
    },
  },
  releaseQuote: {
    method: 'DELETE',
    path: '/api/v1/external/quotes/{quote_id}/hold',
    access: 'partner',
    scope: 'book',
    objective: 'booking',
    tag: 'External API',
    summary: 'Releases a hold',
    description: 'The quote cannot be used again.',
    params: quoteId,
    status: 200,
    reply: z.object({ message: z.string(), quote_id: Id }).meta({ id: 'ReleasedHold' }),
    errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    examples: {
      params: { quote_id: exampleIds.quoteToRelease },
      reply: { message: 'Hold released', quote_id: exampleIds.quoteToRelease },
    },
  },
} as const satisfies Routes;
