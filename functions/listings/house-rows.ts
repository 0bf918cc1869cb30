import * as z from 'zod';
import {
  CreateParkingRule,
  ParkingRule,
  ParkingRulesByVehicle,
  UpdateParkingRule,
} from '../../shared/domain/listing/parking.schema.ts';
import { Policies, PutPolicies } from '../../shared/domain/listing/policies.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import type { Routes } from '../../shared/platform/http/route.ts';
import { PathId, Removed } from '../../shared/platform/schema/schema.ts';
import { listingId } from './listing-rows.ts';

const tag = 'House rules';
const parkingRuleId = z.strictObject({ listing_id: PathId, rule_id: PathId });

const parking = {
  id: exampleIds.parkingRule,
  listing_id: 4711,
  vehicle_type: 'car',
  is_free: false,
  price: 100_000,
  currency: 'VND',
  location_type: 'nearby',
  distance_in_meters: 150,
  description: 'Guarded car park behind the market.',
} as const;

const newRule = { ...parking, id: 369_435_906_932_821, listing_id: exampleIds.lakeHouse } as const;

export const policiesExample = {
  outside_food_allowed: true,
  party_allowed: false,
  smoking_allowed: false,
  photography_allowed: true,
  pet_allowed: false,
  id_card_required: true,
  quiet_time_start: '22:00:00',
  quiet_time_end: '06:00:00',
  other_rules: 'Shoes off, please.',
  refund_rule: 'Full refund until 3 days before check-in.',
};

/** Parking rules and policies of a listing. */
export const houseRows = {
  listParkingRules: {
    method: 'GET',
    path: '/api/v1/listings/{listing_id}/parking-rules',
    access: 'customer',
    objective: 'search',
    tag,
    summary: 'The parking rules of a listing, by vehicle type',
    params: listingId,
    status: 200,
    reply: ParkingRulesByVehicle,
    errors: ['LISTING_NOT_FOUND'],
    examples: { reply: { car: parking } },
  },
  createParkingRule: {
    method: 'POST',
    path: '/api/v1/listings/{listing_id}/parking-rules',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Adds a parking rule',
    description: 'One rule a vehicle type: a second one is a VALIDATION_ERROR at `vehicle_type`.',
    params: listingId,
    body: CreateParkingRule,
    status: 201,
    reply: ParkingRule,
    errors: ['LISTING_NOT_FOUND'],
    idempotent: true,
    examples: {
      params: { listing_id: exampleIds.lakeHouse },
      body: { vehicle_type: 'car', price: 100_000, location_type: 'nearby', distance_in_meters: 150 },
      reply: newRule,
    },
  },
  updateParkingRule: {
    method: 'PATCH',
    path: '/api/v1/listings/{listing_id}/parking-rules/{rule_id}',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Changes a parking rule',
    params: parkingRuleId,
    body: UpdateParkingRule,
    status: 200,
    reply: ParkingRule,
    errors: ['LISTING_NOT_FOUND', 'NOT_FOUND'],
    examples: {
      params: { rule_id: exampleIds.parkingRule },
      body: { price: 100_000 },
      reply: parking,
    },
  },
  deleteParkingRule: {
    method: 'DELETE',
    path: '/api/v1/listings/{listing_id}/parking-rules/{rule_id}',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Removes a parking rule',
    params: parkingRuleId,
    status: 200,
    reply: Removed,
    errors: ['LISTING_NOT_FOUND', 'NOT_FOUND'],
    examples: {
      params: { rule_id: exampleIds.parkingRuleToDelete },
      reply: { message: 'The parking rule is removed.', id: exampleIds.parkingRuleToDelete },
    },
  },
  getPolicies: {
    method: 'GET',
    path: '/api/v1/listings/{listing_id}/policies',
    access: 'customer',
    objective: 'search',
    tag,
    summary: 'The policies of a listing',
    description: 'Until its host says otherwise nothing is allowed. `refund_rule` is that of the listing.',
    params: listingId,
    status: 200,
    reply: Policies,
    errors: ['LISTING_NOT_FOUND'],
    examples: {
      reply: { id: 4711, listing_id: 4711, ...policiesExample, created_at: '2027-01-10T08:30:00.000Z' },
    },
  },
  putPolicies: {
    method: 'PUT',
    path: '/api/v1/listings/{listing_id}/policies',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Creates or replaces the policies of a listing',
    params: listingId,
    body: PutPolicies,
    status: 200,
    reply: Policies,
    errors: ['LISTING_NOT_FOUND'],
    examples: {
      body: policiesExample,
      reply: { id: 4711, listing_id: 4711, ...policiesExample, created_at: '2027-01-10T08:30:00.000Z' },
    },
  },
} as const satisfies Routes;
