import { defineRoutes } from '../../shared/platform/http/route.ts';
import { offerRows } from './offer-rows.ts';
import { priceRows } from './price-rows.ts';

/** Everything a price is made of beside the listing itself. */
export const pricesRoutes = defineRoutes('prices', { ...priceRows, ...offerRows });
