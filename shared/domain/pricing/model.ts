export { hourRate, nightRates } from './night-rate.rules.ts';
export {
  ComboPrice,
  CreateComboPrice,
  CreatePricingRule,
  PricingRule,
  UpdateComboPrice,
  UpdatePricingRule,
} from './price-part.schema.ts';
export { CreateExtraService, ExtraService, UpdateExtraService } from './extra-service.schema.ts';
export {
  hasPartPrice,
  PricePartOwnerEntity,
  type PriceParts,
  PricePartsEntity,
  pricePartsRead,
  rateCardOf,
} from './price-parts.store.ts';
export { compareQuotes, withoutHostFigures } from './quote-changes.rules.ts';
export { checkoutExample, itemExample, previewExample, quoteExample } from './quote-example.schema.ts';
export { orderQuoteOf, previewOf, quoteOrder, tryQuoteItem } from './quote.rules.ts';
export {
  checkoutFields,
  CheckoutItem,
  ItemQuote,
  LineKind,
  OrderQuote,
  Preview,
  PreviewRequest,
  PricePreview,
  PricePreviewRequest,
  QuotedService,
  QuoteLine,
} from './quote.schema.ts';
export { type ListingRates, maximumGuests, nightOf, nightStart, type RateCard } from './rate-card.rules.ts';
export { bookableDaysAhead, maxStayNights, canStartHourlyStay, resolveStay } from './stay.rules.ts';
