import { defineRoutes } from '../../shared/platform/http/route.ts';
import { changeRows } from './change-rows.ts';
import { offerRows } from './offer-rows.ts';
import { priceRows } from './price-rows.ts';
import { stayRuleRows } from './stay-rule-rows.ts';

/** Everything a price is made of beside the listing itself, which stays it is for, and who has changed what. */
export const pricesRoutes = defineRoutes('prices', {
  ...priceRows,
  ...offerRows,
  ...stayRuleRows,
  ...changeRows,
});
