import * as z from 'zod';
import { crossCheck, CurrencyCode, type FieldIssue, Id, Money } from '../../platform/schema/schema.ts';

const VehicleType = z.enum(['motorbike', 'car']).meta({ id: 'VehicleType' });
type VehicleType = z.infer<typeof VehicleType>;

const ParkingLocation = z.enum(['on_site', 'nearby', 'street', 'none']).meta({ id: 'ParkingLocation' });

const fields = {
  vehicle_type: VehicleType.meta({ description: 'One rule a vehicle type.' }),
  is_free: z.boolean(),
  price: Money,
  currency: CurrencyCode,
  location_type: ParkingLocation,
  distance_in_meters: z.int().min(0).max(100_000).nullable(),
  description: z.string().max(5000),
};

/** Where guests park a kind of vehicle, and what it costs. */
export const ParkingRule = z.object({ id: Id, listing_id: Id, ...fields }).meta({ id: 'ParkingRule' });
export type ParkingRule = z.infer<typeof ParkingRule>;

/** Checks across fields; also runs on the merged record of a partial update. */
export const parkingRuleIssues = ({
  is_free,
  price,
  location_type,
}: Pick<ParkingRule, 'is_free' | 'price' | 'location_type'>): FieldIssue[] => {
  if (is_free && price > 0) return [{ path: 'price', message: 'must be 0 when parking is free' }];
  return !is_free && price === 0 && location_type !== 'none'
    ? [{ path: 'price', message: 'must be above 0 when parking is not free' }]
    : [];
};

export const CreateParkingRule = z
  .strictObject({
    ...fields,
    is_free: fields.is_free.default(false),
    price: fields.price.default(0),
    currency: fields.currency.optional().meta({ description: "Absent: the listing's." }),
    distance_in_meters: fields.distance_in_meters.default(null),
    description: fields.description.default(''),
  })
  .check(crossCheck(parkingRuleIssues))
  .meta({ id: 'CreateParkingRule' });
export type CreateParkingRule = z.infer<typeof CreateParkingRule>;

export const UpdateParkingRule = z.strictObject(fields).exactPartial().meta({ id: 'UpdateParkingRule' });
export type UpdateParkingRule = z.infer<typeof UpdateParkingRule>;

/** The parking rules of a listing by vehicle type. */
export const ParkingRulesByVehicle = z
  .object({
    motorbike: ParkingRule.optional(),
    car: ParkingRule.optional(),
  })
  .meta({ id: 'ParkingRulesByVehicle' });
export type ParkingRulesByVehicle = z.infer<typeof ParkingRulesByVehicle>;
