import * as z from 'zod';
import {
  crossCheck,
  DateText,
  type FieldIssue,
  Id,
  Money,
  TimeText,
  Weekdays,
} from '../../platform/schema/schema.ts';

export const DateType = z.enum(['ALWAYS', 'WEEKDAY', 'DATE_RANGE', 'SPECIFIC_DATE']).meta({ id: 'DateType' });
export type DateType = z.infer<typeof DateType>;

export const ChargeUnit = z
  .enum(['PER_BOOKING', 'PER_NIGHT', 'PER_HOUR', 'PACKAGE', 'PER_MONTH'])
  .meta({ id: 'ChargeUnit' });
export type ChargeUnit = z.infer<typeof ChargeUnit>;

const RuleStayType = z.enum(['DAY', 'OVERNIGHT', 'ANY']).meta({ id: 'StayType' });
type RuleStayType = z.infer<typeof RuleStayType>;

const fields = {
  date_type: DateType,
  day_of_week: z
    .int()
    .min(0)
    .max(6)
    .nullable()
    .meta({ description: 'Of WEEKDAY: 0 = Sunday to 6 = Saturday.' }),
  date_from: DateText.nullable().meta({ description: 'Of DATE_RANGE, SPECIFIC_DATE.' }),
  date_to: DateText.nullable().meta({ description: 'Inclusive.' }),
  weekdays: Weekdays.nullable(),
  charge_unit: ChargeUnit,
  stay_type: RuleStayType,
  price: Money,
  priority: z.int().meta({ description: 'The highest wins.' }),
  is_active: z.boolean(),
};

/** A price for some dates and stays (D34, D35). */
export const PricingRule = z
  .object({ id: Id, listing_id: Id, ...fields, weekdays: fields.weekdays.default(null) })
  .meta({ id: 'PricingRule' });
export type PricingRule = z.input<typeof PricingRule>;

type Checked = Pick<PricingRule, 'date_type' | 'day_of_week' | 'date_from' | 'date_to' | 'weekdays'>;

const rangeIssues = ({ date_from, date_to }: Checked): FieldIssue[] => {
  if (date_from !== null && date_to !== null)
    return date_to < date_from ? [{ path: 'date_to', message: 'must not be before date_from' }] : [];
  const missing = [...(date_from === null ? ['date_from'] : []), ...(date_to === null ? ['date_to'] : [])];
  return missing.map((path) => ({ path, message: 'is required' }));
};

const specificDateIssues = ({ date_from, date_to }: Checked): FieldIssue[] => {
  if (date_from === null) return [{ path: 'date_from', message: 'is required' }];
  return date_to === null || date_to === date_from
    ? []
    : [{ path: 'date_to', message: 'must be date_from or absent' }];
};

type Part = 'day_of_week' | 'date_from' | 'date_to' | 'weekdays';

const unusedIssues = (rule: Checked, ...parts: Part[]): FieldIssue[] =>
  parts
    .filter((path) => (rule[path] ?? null) !== null)
    .map((path) => ({ path, message: `is not used with ${rule.date_type}` }));

/** Checks across fields; also runs on the merged record of a partial update. */
export const pricingRuleIssues = (rule: Checked): FieldIssue[] => {
  switch (rule.date_type) {
    case 'ALWAYS':
      return unusedIssues(rule, 'day_of_week', 'date_from', 'date_to', 'weekdays');
    case 'WEEKDAY':
      return [
        ...(rule.day_of_week === null ? [{ path: 'day_of_week', message: 'is required' }] : []),
        ...unusedIssues(rule, 'date_from', 'date_to', 'weekdays'),
      ];
    case 'DATE_RANGE':
      return [...unusedIssues(rule, 'day_of_week'), ...rangeIssues(rule)];
    case 'SPECIFIC_DATE':
      return [...unusedIssues(rule, 'day_of_week', 'weekdays'), ...specificDateIssues(rule)];
  }
};

export const CreatePricingRule = z
  .strictObject({
    ...fields,
    day_of_week: fields.day_of_week.default(null),
    date_from: fields.date_from.default(null),
    date_to: fields.date_to.default(null),
    weekdays: fields.weekdays.default(null),
    stay_type: fields.stay_type.default('ANY'),
    priority: fields.priority.default(0),
    is_active: fields.is_active.default(true),
  })
  .check(crossCheck(pricingRuleIssues))
  .meta({ id: 'CreatePricingRule' });
export type CreatePricingRule = z.infer<typeof CreatePricingRule>;

export const UpdatePricingRule = z.strictObject(fields).exactPartial().meta({ id: 'UpdatePricingRule' });
export type UpdatePricingRule = z.infer<typeof UpdatePricingRule>;

const ComboType = z.enum(['overnight', 'day_use', 'hourly_block', 'other']).meta({ id: 'ComboType' });
type ComboType = z.infer<typeof ComboType>;

const comboPriceFields = {
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

/** A package that a guest books by `combo_id` (D37). Times are local. */
export const ComboPrice = z
  .object({ id: Id, listing_id: Id, ...comboPriceFields })
  .meta({ id: 'ComboPrice' });
export type ComboPrice = z.infer<typeof ComboPrice>;

type CheckedCombo = Pick<
  ComboPrice,
  'combo_type' | 'start_time' | 'end_time' | 'original_price' | 'discounted_price'
>;

/** Checks across fields; also runs on the merged record of a partial update. */
export const comboPriceIssues = (combo: CheckedCombo): FieldIssue[] => {
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
    ...comboPriceFields,
    priority: comboPriceFields.priority.default(0),
    is_active: comboPriceFields.is_active.default(true),
  })
  .check(crossCheck(comboPriceIssues))
  .meta({ id: 'CreateComboPrice' });
export type CreateComboPrice = z.infer<typeof CreateComboPrice>;

export const UpdateComboPrice = z
  .strictObject(comboPriceFields)
  .exactPartial()
  .meta({ id: 'UpdateComboPrice' });
export type UpdateComboPrice = z.infer<typeof UpdateComboPrice>;
