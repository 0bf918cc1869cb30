import { listListingChanges, updateWeeklyPrices } from '../../shared/domain/listing/index.ts';
import {
  addPricePart,
  changePricePart,
  listPriceParts,
  previewPrice,
  putStayRules,
  readStayRules,
  removePricePart,
} from '../../shared/domain/pricing/index.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { withSealing } from '../../shared/platform/environment/sealing-environment.ts';
import { pricesRoutes } from './routes.ts';

/** The price routes over any dependencies. */
export const prices = serve(pricesRoutes, {
  updateWeeklyPrices: (ctx, { params, body }) => updateWeeklyPrices(ctx, params.listing_id, body),
  previewPrice: (ctx, { body }) => previewPrice(ctx, body),

  listPricingRules: (ctx, { params }) => listPriceParts(ctx, 'rules', params.listing_id),
  createPricingRule: (ctx, { params, body }) => addPricePart(ctx, 'rules', params.listing_id, body),
  updatePricingRule: (ctx, { params, body }) => changePricePart(ctx, 'rules', { id: params.rule_id }, body),
  deletePricingRule: (ctx, { params }) => removePricePart(ctx, 'rules', { id: params.rule_id }),

  listComboPrices: (ctx, { params }) => listPriceParts(ctx, 'combos', params.listing_id),
  createComboPrice: (ctx, { body: { listing_id, ...combo } }) =>
    addPricePart(ctx, 'combos', listing_id, combo),
  updateComboPrice: (ctx, { params, body }) => changePricePart(ctx, 'combos', { id: params.combo_id }, body),
  deleteComboPrice: (ctx, { params }) => removePricePart(ctx, 'combos', { id: params.combo_id }),

  listExtraServices: (ctx, { params }) => listPriceParts(ctx, 'services', params.listing_id),
  createExtraService: (ctx, { params, body }) => addPricePart(ctx, 'services', params.listing_id, body),
  updateExtraService: (ctx, { params: { service_id: id, listing_id }, body }) =>
    changePricePart(ctx, 'services', { id, listing_id }, body),
  deleteExtraService: (ctx, { params: { service_id: id, listing_id } }) =>
    removePricePart(ctx, 'services', { id, listing_id }),

  readStayRules: (ctx, { params }) => readStayRules(ctx, params.listing_id),
  listListingChanges: (ctx, { params, query }) => listListingChanges(ctx, params.listing_id, query),
  putStayRules: (ctx, { params, body }) => putStayRules(ctx, params.listing_id, body),
});

/** The Lambda handler of the price routes. */
export const handler = prices(withSealing(environment));
