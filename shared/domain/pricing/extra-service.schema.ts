import * as z from 'zod';
import { Id, Instant, Money } from '../../platform/schema/schema.ts';

export const PriceUnit = z.enum(['per_use', 'per_night', 'per_person']).meta({ id: 'PriceUnit' });
export type PriceUnit = z.infer<typeof PriceUnit>;

const extraServiceFields = {
  service_name: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .meta({ examples: ['Breakfast'] }),
  description: z.string().max(5000).nullable(),
  price: Money,
  price_unit: PriceUnit,
  is_required: z.boolean(),
  is_active: z.boolean(),
};

/** A service that a guest can add to a stay, or that is included when required (D40). */
export const ExtraService = z
  .object({ id: Id, listing_id: Id, ...extraServiceFields, created_at: Instant })
  .meta({ id: 'ExtraService' });
export type ExtraService = z.infer<typeof ExtraService>;

export const CreateExtraService = z
  .strictObject({
    ...extraServiceFields,
    description: extraServiceFields.description.default(null),
    is_required: extraServiceFields.is_required.default(false),
    is_active: extraServiceFields.is_active.default(true),
  })
  .meta({ id: 'CreateExtraService' });
export type CreateExtraService = z.infer<typeof CreateExtraService>;

export const UpdateExtraService = z
  .strictObject(extraServiceFields)
  .exactPartial()
  .meta({ id: 'UpdateExtraService' });
export type UpdateExtraService = z.infer<typeof UpdateExtraService>;
