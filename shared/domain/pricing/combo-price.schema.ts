import * as z from 'zod';
import { crossCheck, Id, Money, TimeText, type FieldIssue } from '../../platform/schema.ts';

export const ComboType = z.enum(['overnight', 'day_use', 'hourly_block', 'other']);
export type ComboType = z.infer<typeof ComboType>;

const fields = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .meta({ examples: ['Weekend night'] }),
  start_time: TimeText,
  end_time: TimeText,
  original_price: Money,
  discounted_price: Money,
  combo_type: ComboType,
  priority: z.int(),
  is_active: z.boolean(),
};

/** A package a guest books by `combo_id` (D37). Times are the listing's local ones. */
export const ComboPrice = z.object({ id: Id, listing_id: Id, ...fields });
export type ComboPrice = z.infer<typeof ComboPrice>;

type Checked = Pick<
  ComboPrice,
  'combo_type' | 'start_time' | 'end_time' | 'original_price' | 'discounted_price'
>;

/** What no single field can tell; to be run on the merged record after a partial update, too. */
export const comboPriceIssues = (combo: Checked): FieldIssue[] => {
  const issues: FieldIssue[] = [];
  if (combo.discounted_price > combo.original_price)
    issues.push({ path: 'discounted_price', message: 'must not be above original_price' });
  const withinOneDay = combo.combo_type === 'day_use' || combo.combo_type === 'hourly_block';
  if (withinOneDay && combo.end_time <= combo.start_time)
    issues.push({ path: 'end_time', message: `must be after start_time for ${combo.combo_type}` });
  return issues;
};

export const CreateComboPrice = z
  .strictObject({
    listing_id: Id,
    ...fields,
    priority: fields.priority.default(0),
    is_active: fields.is_active.default(true),
  })
  .check(crossCheck(comboPriceIssues));
export type CreateComboPrice = z.infer<typeof CreateComboPrice>;

export const UpdateComboPrice = z.strictObject(fields).exactPartial();
export type UpdateComboPrice = z.infer<typeof UpdateComboPrice>;
