import { defineRoutes } from '../../shared/platform/http/route.ts';
import { offerRows } from './offer-rows.ts';
import { priceRows } from './price-rows.ts';

/** Everything a price is made of beside the listing itself (spec 4.2). */
export const pricesRoutes = defineRoutes('prices', { ...priceRows, ...offerRows });
