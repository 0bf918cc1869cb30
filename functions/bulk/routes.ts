import {
  BulkBlocks,
  BulkBlocksAnswer,
  bulkBlocksExample,
  BulkPrices,
  BulkPricesAnswer,
  bulkPricesExample,
  BulkUndo,
  BulkUndoAnswer,
  bulkUndoExample,
} from '../../shared/domain/pricing/bulk.schema.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';

const each =
  'All or nothing for each listing, in the order of the request; what is refused for one is its `error` and stops no other. A listing that the table did not take in time has SERVICE_UNAVAILABLE: ask for it again alone. Another team’s listing is LISTING_NOT_FOUND, and nothing is done. A repeated request with the same Idempotency-Key goes on where an earlier one ended and does nothing twice.';

/** Changes of many listings at once (D96). */
export const bulkRoutes = defineRoutes('bulk', {
  bulkPrices: {
    method: 'POST',
    path: '/api/v1/listings/bulk-prices',
    access: 'host',
    permission: 'manage',
    tag: 'Prices',
    summary: 'Sets or raises the prices of nights of up to 100 listings',
    description: `The price of overnight stays by the night, as pricing rules that are stronger than those of the listing on these dates. ${each}`,
    body: BulkPrices,
    status: 200,
    reply: BulkPricesAnswer,
    errors: ['LISTING_NOT_FOUND'],
    idempotent: true,
    examples: bulkPricesExample,
  },
  bulkBlocks: {
    method: 'POST',
    path: '/api/v1/listings/bulk-blocks',
    access: 'host',
    permission: 'operate',
    tag: 'Availability',
    summary: 'Blocks dates of up to 100 listings, or lifts their blocks',
    description: `A date is its night, of a listing that is sold by the hour its local day too. One that the listing blocks already stays blocked; over a stay, a live soft lock, or a block of another calendar or of the family it is LISTING_NOT_AVAILABLE. AVAILABLE lifts the blocks that hosts have made, also a part of one; not those that were imported. About 60 separate stretches fit into one request, else VALIDATION_ERROR. ${each}`,
    body: BulkBlocks,
    status: 200,
    reply: BulkBlocksAnswer,
    errors: ['LISTING_NOT_FOUND'],
    idempotent: true,
    examples: bulkBlocksExample,
  },
  undoBulk: {
    method: 'POST',
    path: '/api/v1/listings/bulk-undo',
    access: 'host',
    permission: 'operate',
    tag: 'Prices',
    summary: 'Undoes a bulk change of prices or blocks, once, within 24 hours',
    description:
      'What is still as the bulk change has made it is restored; what was changed or sold since stays as it is and is named in `kept`. Prices are for OWNER and MANAGER. Used before, or later: INVALID_STATE_TRANSITION.',
    body: BulkUndo,
    status: 200,
    reply: BulkUndoAnswer,
    errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: bulkUndoExample,
  },
});
