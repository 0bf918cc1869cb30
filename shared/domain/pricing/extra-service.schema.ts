import * as z from 'zod';
import { Id, Instant, Money } from '../../platform/schema.ts';

export const PriceUnit = z.enum(['per_use', 'per_night', 'per_person']);
export type PriceUnit = z.infer<typeof PriceUnit>;

const fields = {
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

/** Something a guest can add to a stay, or must when it is required (D40). */
export const ExtraService = z.object({ id: Id, listing_id: Id, ...fields, created_at: Instant });
export type ExtraService = z.infer<typeof ExtraService>;

export const CreateExtraService = z.strictObject({
  ...fields,
  description: fields.description.default(null),
  is_required: fields.is_required.default(false),
  is_active: fields.is_active.default(true),
});
export type CreateExtraService = z.infer<typeof CreateExtraService>;

export const UpdateExtraService = z.strictObject(fields).exactPartial();
export type UpdateExtraService = z.infer<typeof UpdateExtraService>;
