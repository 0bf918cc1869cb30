import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import * as schema from '../../shared/platform/schema/schema.ts';

const accepts = (field: z.ZodType, value: unknown): boolean => field.safeParse(value).success;

describe('fields', () => {
  const {
    CurrencyCode,
    DateText,
    Id,
    Instant,
    LocalDateTime,
    Money,
    Percent,
    QueryBoolean,
    TimeText,
    TimeZone,
  } = schema;
  test.each([
    ['Id', Id, [1, 2 ** 53 - 1], [0, -1, 1.5, 2 ** 53, '1', null]],
    [
      'Money',
      Money,
      [0, 0.001, 1_500_000, 999_999_999_999_999],
      [-1, 1e15, 1e300, 1e-300, Infinity, NaN, '5', 0.1 + 0.2],
    ],
    ['Percent', Percent, [0, 12.5, 100], [-0.1, 100.1]],
    [
      'DateText',
      DateText,
      ['2027-02-28', '2028-02-29'],
      ['2027-02-29', '2027-02-30', '2027-2-1', '2027-02-01T00:00:00', 20270201],
    ],
    [
      'TimeText',
      TimeText,
      ['00:00:00', '23:59:59', '14:00'],
      ['24:00', '12:60:00', '1:00', '14', '14:00:00Z'],
    ],
    [
      'LocalDateTime',
      LocalDateTime,
      ['2027-02-04T14:00:00', '2027-02-04T14:00'],
      ['2027-02-30T14:00', '2027-02-04T25:00', '2027-02-04T14:00:00Z', '2027-02-04'],
    ],
    [
      'Instant',
      Instant,
      ['2027-02-04T07:00:00Z', '2027-02-04T07:00:00.000Z', '2027-02-04T14:00:00+07:00'],
      ['2027-02-04T07:00:00', '2027-02-30T07:00:00Z', '2027-02-04'],
    ],
    ['CurrencyCode', CurrencyCode, ['VND', 'USD', 'KWD'], ['vnd', 'XXX', 'DONG', '']],
    ['TimeZone', TimeZone, ['Asia/Ho_Chi_Minh', 'UTC'], ['+07:00', 'Asia/Nowhere', '']],
    ['QueryBoolean', QueryBoolean, ['true', 'false', true], ['1', 'yes', '']],
  ] as [string, z.ZodType, unknown[], unknown[]][])('%s', (_, field, good, bad) => {
    expect(good.filter((value) => !accepts(field, value))).toEqual([]);
    expect(bad.filter((value) => accepts(field, value))).toEqual([]);
  });

  test('seconds that were left out are filled in', () => {
    expect(TimeText.parse('14:00')).toBe('14:00:00');
    expect(LocalDateTime.parse('2027-02-04T14:00')).toBe('2027-02-04T14:00:00');
  });

  test('one mistake makes one issue', () => {
    for (const [field, value] of [
      [DateText, 'tomorrow'],
      [TimeText, 'noon'],
      [LocalDateTime, 'now'],
      [Instant, 'now'],
      [CurrencyCode, '€'],
      [Money, 1e300],
    ] as const)
      expect(field.safeParse(value).error?.issues).toHaveLength(1);
  });
});

describe('paging (D4)', () => {
  const { PagingQuery } = schema;
  test('has page 1 and 20 items unless asked otherwise', () => {
    expect(PagingQuery.parse({})).toEqual({ page: 1, limit: 20 });
    expect(PagingQuery.parse({ page: '3', limit: '100', cursor: 'abc' })).toEqual({
      page: 3,
      limit: 100,
      cursor: 'abc',
    });
    expect(PagingQuery.parse({ page: 3, limit: 100 })).toEqual({ page: 3, limit: 100 });
  });

  test.each([
    { page: '0' },
    { page: '-1' },
    { page: '1.5' },
    { page: '1e1' },
    { page: '0x10' },
    { page: '' },
    { page: 'one' },
    { page: ['1', '2'] },
    { limit: '0' },
    { limit: '101' },
    { cursor: '' },
    { offset: '3' },
  ])('refuses %j', (query) => {
    expect(accepts(PagingQuery, query)).toBe(false);
  });

  test('the envelope has all five fields and next_cursor', () => {
    const Ids = schema.pageOf(schema.Id);
    const page = { items: [1, 2], total: 2, page: 1, limit: 20, total_pages: 1, next_cursor: null };
    expect(Ids.parse(page)).toEqual(page);
    for (const field of Object.keys(page)) {
      const rest = Object.entries(page).filter(([name]) => name !== field);
      expect(accepts(Ids, Object.fromEntries(rest)), field).toBe(false);
    }
  });
});

test('a rule over several fields names the field', () => {
  const Range = z
    .strictObject({ from: z.int(), to: z.int() })
    .check(
      schema.crossCheck(({ from, to }) =>
        to < from ? [{ path: 'to', message: 'must not be before from' }] : [],
      ),
    );
  expect(accepts(Range, { from: 1, to: 2 })).toBe(true);
  expect(Range.safeParse({ from: 2, to: 1 }).error?.issues).toMatchObject([
    { path: ['to'], message: 'must not be before from' },
  ]);
});

const fields = Object.entries({ ...schema, PageOfIds: schema.pageOf(schema.Id) }).flatMap(([name, value]) =>
  value instanceof z.ZodType ? [[name, value] as const] : [],
);

test.each(fields)('%s is written as JSON Schema, input and output', (_, field) => {
  for (const io of ['input', 'output'] as const) {
    const written = z.toJSONSchema(field, { io });
    // What has an id, itself or within, is written as a definition of that name.
    const id = z.globalRegistry.get(field)?.id ?? written.$ref?.split('/').at(-1);
    const own = id === undefined ? written : written.$defs?.[id];
    expect(own?.type).toBeTypeOf('string');
  }
});

test('the defaults of paging are in the input schema', () => {
  expect(z.toJSONSchema(schema.PagingQuery, { io: 'input' }).properties).toMatchObject({
    page: { type: 'integer', minimum: 1, default: 1 },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  });
});
