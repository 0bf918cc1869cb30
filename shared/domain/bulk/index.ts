export { bulkBlocks } from './bulk-blocks.ts';
export { bulkPrices } from './bulk-prices.ts';
export { undoBulk } from './undo-bulk.ts';
