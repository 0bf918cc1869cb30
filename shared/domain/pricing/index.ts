export { previewPrice } from './preview-price.ts';
export { addPricePart, changePricePart, listPriceParts, removePricePart } from './price-parts.ts';
export { putStayRules, readStayRules } from './stay-rules.ts';
export { bulkBlocks } from './bulk-blocks.ts';
export { bulkPrices } from './bulk-prices.ts';
export { undoBulk } from './undo-bulk.ts';
