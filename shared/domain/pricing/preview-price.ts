import type { Context } from '../../platform/context.ts';
import { money, roundMoney, toNumber } from '../../platform/money.ts';
import { requireVisible } from '../listing/model.ts';
import { rateCardOf, readPricing } from './price-parts.store.ts';
import { quoteItem } from './quote-item.rules.ts';
import type { PricePreview, PricePreviewRequest } from './quote.schema.ts';
import { extraGuests } from './rate-card.rules.ts';

/** Returns the price of a stay by the current rules, whether or not its time is free, in one round trip. */
export const previewPrice = async (ctx: Context, input: PricePreviewRequest): Promise<PricePreview> => {
  const { listing: found, parts } = await readPricing(ctx, input.listing_id);
  const listing = requireVisible(ctx.caller, found);
  const quote = quoteItem({ rateCard: rateCardOf(listing, parts), item: input, now: ctx.clock.now() });
  const average = roundMoney(money(quote.base_price).div(Math.max(1, quote.nights)), quote.currency);
  return {
    base_price: quote.base_price,
    total_price: quote.total,
    currency: quote.currency,
    pricing_type: quote.pricing_type,
    breakdown: {
      nights: quote.nights,
      nightly_rate: toNumber(average),
      extra_guests: extraGuests(listing, input),
      extra_guest_fee: quote.extra_guest_fee,
      cleaning_fee: quote.cleaning_fee,
      early_check_in_fee: quote.early_check_in_fee,
      late_check_out_fee: quote.late_check_out_fee,
      extra_services_total: quote.extra_services_total,
      total_discount: quote.total_discount,
    },
    lines: quote.lines,
  };
};
