export { previewPrice } from './preview-price.ts';
export { addPricePart, changePricePart, listPriceParts, removePricePart } from './price-parts.ts';
export { planBulkPrices, planUndoPrices } from './plan-bulk-prices.ts';
export { putStayRules, readStayRules } from './stay-rules.ts';
