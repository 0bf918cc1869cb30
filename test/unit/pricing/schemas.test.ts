import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as pricing from '../../../shared/domain/pricing/model.ts';
import { pricingRuleIssues } from '../../../shared/domain/pricing/price-part.schema.ts';

const { CreateComboPrice, CreateExtraService, CreatePricingRule, UpdateComboPrice, UpdatePricingRule } =
  pricing;

const paths = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(({ path }) => path.join('.')) ?? [];

const combo = {
  listing_id: 1,
  name: 'Night',
  start_time: '20:00',
  end_time: '10:00:00',
  original_price: 900_000,
  discounted_price: 750_000,
  combo_type: 'overnight',
};
const rule = { date_type: 'ALWAYS', charge_unit: 'PER_NIGHT', price: 1 };

describe('a combo', () => {
  test('has its defaults and its times with seconds', () => {
    expect(CreateComboPrice.parse(combo)).toMatchObject({
      start_time: '20:00:00',
      priority: 0,
      is_active: true,
    });
  });

  test.each([
    ['a discounted price above the original', { discounted_price: 900_001 }, ['discounted_price']],
    ['a day combo over midnight', { combo_type: 'day_use' }, ['end_time']],
    ['an hourly block over midnight', { combo_type: 'hourly_block' }, ['end_time']],
    ['a price below 0', { discounted_price: -1 }, ['discounted_price']],
    ['an unknown field', { nights: 1 }, ['']],
  ])('with %s is refused', (_, change, expected) => {
    expect(paths(CreateComboPrice, { ...combo, ...change })).toEqual(expected);
  });

  test('an update fills no default in', () => {
    expect(UpdateComboPrice.parse({ name: 'Two' })).toEqual({ name: 'Two' });
    expect(paths(UpdateComboPrice, { listing_id: 2 })).toEqual(['']);
  });
});

describe('a pricing rule', () => {
  test('has its defaults', () => {
    expect(CreatePricingRule.parse(rule)).toEqual({
      ...rule,
      day_of_week: null,
      weekdays: null,
      date_from: null,
      date_to: null,
      stay_type: 'ANY',
      priority: 0,
      is_active: true,
    });
  });

  test.each([
    ['WEEKDAY without a day', { date_type: 'WEEKDAY' }, ['day_of_week']],
    ['WEEKDAY 0', { date_type: 'WEEKDAY', day_of_week: 0 }, []],
    ['WEEKDAY 7', { date_type: 'WEEKDAY', day_of_week: 7 }, ['day_of_week']],
    ['a day without WEEKDAY', { day_of_week: 0 }, ['day_of_week']],
    ['DATE_RANGE without dates', { date_type: 'DATE_RANGE' }, ['date_from', 'date_to']],
    ['DATE_RANGE without its end', { date_type: 'DATE_RANGE', date_from: '2027-02-05' }, ['date_to']],
    [
      'DATE_RANGE backwards',
      { date_type: 'DATE_RANGE', date_from: '2027-02-05', date_to: '2027-02-04' },
      ['date_to'],
    ],
    ['DATE_RANGE of a day', { date_type: 'DATE_RANGE', date_from: '2027-02-05', date_to: '2027-02-05' }, []],
    [
      'DATE_RANGE to no real date',
      { date_type: 'DATE_RANGE', date_from: '2027-02-05', date_to: '2027-02-30' },
      ['date_to'],
    ],
    [
      'DATE_RANGE on weekdays',
      { date_type: 'DATE_RANGE', date_from: '2027-02-05', date_to: '2027-02-15', weekdays: [5, 6] },
      [],
    ],
    ['weekdays without DATE_RANGE', { weekdays: [5] }, ['weekdays']],
    ['SPECIFIC_DATE without date_from', { date_type: 'SPECIFIC_DATE' }, ['date_from']],
    ['SPECIFIC_DATE', { date_type: 'SPECIFIC_DATE', date_from: '2028-02-29' }, []],
    [
      'SPECIFIC_DATE with the same date_to',
      { date_type: 'SPECIFIC_DATE', date_from: '2028-02-29', date_to: '2028-02-29' },
      [],
    ],
    [
      'SPECIFIC_DATE with another date_to',
      { date_type: 'SPECIFIC_DATE', date_from: '2028-02-29', date_to: '2028-03-01' },
      ['date_to'],
    ],
    ['ALWAYS with dates', { date_from: '2027-01-01' }, ['date_from']],
  ])('%s', (_, change, expected) => {
    expect(paths(CreatePricingRule, { ...rule, ...change })).toEqual(expected);
  });

  test('an update is checked on the merged record', () => {
    const stored = { ...CreatePricingRule.parse({ ...rule, date_type: 'WEEKDAY', day_of_week: 5 }) };
    const merged = { ...stored, ...UpdatePricingRule.parse({ date_type: 'ALWAYS' }) };
    expect(pricingRuleIssues(merged).map(({ path }) => path)).toEqual(['day_of_week']);
    const cleared = { ...stored, ...UpdatePricingRule.parse({ date_type: 'ALWAYS', day_of_week: null }) };
    expect(pricingRuleIssues(cleared)).toEqual([]);
  });
});

test('an extra service has its defaults', () => {
  expect(CreateExtraService.parse({ service_name: ' Breakfast ', price: 1, price_unit: 'per_use' })).toEqual({
    service_name: 'Breakfast',
    description: null,
    price: 1,
    price_unit: 'per_use',
    is_required: false,
    is_active: true,
  });
});

test('a preview request takes 1 to 10 items and refuses what it does not know', () => {
  const item = { listing_id: 1, check_in_date: '2027-03-01', check_out_date: '2027-03-02', guest_number: 2 };
  expect(paths(pricing.PreviewRequest, { items: [item], currency: 'VND' })).toEqual([]);
  expect(paths(pricing.PreviewRequest, { items: [{ ...item, check_in_time: null }] })).toEqual([]);
  expect(paths(pricing.PreviewRequest, { items: [] })).toEqual(['items']);
  expect(paths(pricing.PreviewRequest, { items: Array.from({ length: 11 }, () => item) })).toEqual(['items']);
  expect(paths(pricing.PreviewRequest, { items: [{ ...item, discount: 5 }], currency: 'XXX' })).toEqual([
    'items.0',
    'currency',
  ]);
});

const schemas = Object.entries(pricing).flatMap(([name, value]) =>
  value instanceof z.ZodType ? [[name, value] as const] : [],
);

test.each(schemas)('%s can be written as JSON Schema, input and output', (_, schema) => {
  expect(z.toJSONSchema(schema, { io: 'input' })).toBeTypeOf('object');
  expect(z.toJSONSchema(schema, { io: 'output' })).toBeTypeOf('object');
});
