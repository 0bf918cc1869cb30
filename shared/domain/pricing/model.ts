export { maxAdjustments, type StayAdjustment, type StayRequest } from './adjustment.schema.ts';
export { earningOf } from './charges.rules.ts';
export { adjusted, adjustmentsOf, adjustmentsTotal } from './adjustments.rules.ts';
export { byStrength, hourRate, nightRates } from './night-rate.rules.ts';
export {
  CreateComboPrice,
  CreatePricingRule,
  UpdateComboPrice,
  UpdatePricingRule,
} from './price-part.schema.ts';
export { CreateExtraService } from './extra-service.schema.ts';
export { PricePartOwnerEntity, type PriceParts, PricePartsEntity } from './price-parts.entity.ts';
export { createPriceParts, hasPartPrice, pricingReads, rateCardOf } from './price-parts.store.ts';
export { readTeamPriceParts } from './team-price-parts.store.ts';
export { compareQuotes, withoutHostFigures } from './quote-changes.rules.ts';
export { soldAt } from './kept-price.rules.ts';
export { quoteItem, tryQuoteItem, tryTotalOf } from './quote-item.rules.ts';
export { orderQuoteOf, previewOf, quoteOrder } from './quote-order.rules.ts';
export { CheckoutItem, ItemQuote, LineKind, OrderQuote, Preview, PreviewRequest } from './quote.schema.ts';
export {
  blockedTime,
  type ListingRates,
  maximumGuests,
  nightOf,
  nightStart,
  type RateCard,
} from './rate-card.rules.ts';
export {
  brokenRules,
  type DayRule,
  isArrivalAllowed,
  isStayAllowed,
  type LimitedStay,
  limitedStay,
  limitOn,
  limitsOf,
  presentStayRules,
  type StayLimits,
} from './stay-rules.rules.ts';
export type { BrokenRule, NearestStay } from './stay-rules.schema.ts';
export { canStartHourlyStay, resolveStay } from './resolve-stay.rules.ts';
export { bookableDaysAhead, checkInCutOff, type KeptTimes, maxStayNights } from './stay.rules.ts';
export { BulkChangeEntity, BulkResultEntity } from './bulk.entity.ts';
