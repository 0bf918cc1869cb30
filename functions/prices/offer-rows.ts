import * as z from 'zod';
import {
  ComboPrice,
  CreateComboPrice,
  UpdateComboPrice,
} from '../../shared/domain/pricing/price-part.schema.ts';
import {
  CreateExtraService,
  ExtraService,
  UpdateExtraService,
} from '../../shared/domain/pricing/extra-service.schema.ts';
import {
  comboBodyExample,
  comboExample,
  serviceBodyExample,
  serviceExample,
} from '../../shared/domain/pricing/price-example.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import type { Routes } from '../../shared/platform/http/route.ts';
import { PathId, Removed } from '../../shared/platform/schema/schema.ts';
import { listingId } from './price-rows.ts';

const tag = 'Prices';
const comboId = z.strictObject({ combo_id: PathId });
const serviceId = z.strictObject({ listing_id: PathId, service_id: PathId });

/** Combo prices and extra services (D37, D40). */
export const offerRows = {
  listComboPrices: {
    method: 'GET',
    path: '/api/v1/listing-combo-prices/listings/{listing_id}',
    access: 'customer',
    objective: 'search',
    tag,
    summary: 'The combo prices of a listing',
    description: 'Inactive ones only for its hosts.',
    params: listingId,
    status: 200,
    reply: z.array(ComboPrice),
    errors: ['LISTING_NOT_FOUND'],
    examples: { reply: [comboExample] },
  },
  createComboPrice: {
    method: 'POST',
    path: '/api/v1/listing-combo-prices',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Adds a combo price',
    description: '`listing_id` stands in the body. At most 50 a listing.',
    body: CreateComboPrice,
    status: 201,
    reply: ComboPrice,
    errors: ['LISTING_NOT_FOUND'],
    idempotent: true,
    examples: { body: comboBodyExample, reply: comboExample },
  },
  updateComboPrice: {
    method: 'PATCH',
    path: '/api/v1/listing-combo-prices/{combo_id}',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Changes a combo price',
    params: comboId,
    body: UpdateComboPrice,
    status: 200,
    reply: ComboPrice,
    errors: ['NOT_FOUND'],
    examples: { body: { discounted_price: 750_000 }, reply: comboExample },
  },
  deleteComboPrice: {
    method: 'DELETE',
    path: '/api/v1/listing-combo-prices/{combo_id}',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Removes a combo price',
    params: comboId,
    status: 200,
    reply: Removed,
    errors: ['NOT_FOUND'],
    examples: {
      params: { combo_id: exampleIds.comboToDelete },
      reply: { message: 'The combo price is removed.', id: exampleIds.comboToDelete },
    },
  },
  listExtraServices: {
    method: 'GET',
    path: '/api/v1/listings/{listing_id}/extra-services',
    access: 'customer',
    objective: 'search',
    tag,
    summary: 'The extra services of a listing',
    description: 'Inactive ones only for its hosts.',
    params: listingId,
    status: 200,
    reply: z.array(ExtraService),
    errors: ['LISTING_NOT_FOUND'],
    examples: { reply: [serviceExample] },
  },
  createExtraService: {
    method: 'POST',
    path: '/api/v1/listings/{listing_id}/extra-services',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Adds an extra service',
    description: 'At most 50 a listing.',
    params: listingId,
    body: CreateExtraService,
    status: 201,
    reply: ExtraService,
    errors: ['LISTING_NOT_FOUND'],
    idempotent: true,
    examples: { body: serviceBodyExample, reply: serviceExample },
  },
  updateExtraService: {
    method: 'PATCH',
    path: '/api/v1/listings/{listing_id}/extra-services/{service_id}',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Changes an extra service',
    params: serviceId,
    body: UpdateExtraService,
    status: 200,
    reply: ExtraService,
    errors: ['LISTING_NOT_FOUND', 'NOT_FOUND'],
    examples: { body: { price: 50_000 }, reply: serviceExample },
  },
  deleteExtraService: {
    method: 'DELETE',
    path: '/api/v1/listings/{listing_id}/extra-services/{service_id}',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Removes an extra service',
    params: serviceId,
    status: 200,
    reply: Removed,
    errors: ['LISTING_NOT_FOUND', 'NOT_FOUND'],
    examples: {
      params: { service_id: exampleIds.serviceToDelete },
      reply: { message: 'The extra service is removed.', id: exampleIds.serviceToDelete },
    },
  },
} as const satisfies Routes;
