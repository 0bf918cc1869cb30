import { expect, it } from 'vitest';
import * as z from 'zod';
import { crossCheck } from '../../../shared/platform/schema/schema.ts';
import {
  fieldsAt,
  nearestIssues,
  validationMessage,
  unknownField,
} from '../../../shared/platform/http/validation-messages.ts';
import { invalid } from '../../../shared/platform/errors.ts';

const Item = z.strictObject({ guest_number: z.int().min(1).max(9), colours: z.array(z.string()).max(1) });
const Body = z
  .strictObject({
    items: z.array(Item).min(1).optional(),
    name: z.string().max(3).nullish(),
    email: z.email().optional(),
    kind: z.enum(['car', 'motorbike']).default('car'),
    radius: z.number().gt(0).optional(),
    own: z
      .string()
      .refine((text) => text !== 'no', 'must not be no')
      .optional(),
  })
  .check(crossCheck(() => []));

const said = (value: unknown): string[] => Body.safeParse(value).error?.issues.map(validationMessage) ?? [];

it('says in plain words what to send', () => {
  expect(said({ items: [{ guest_number: 0, colours: ['a', 'b'] }] })).toEqual([
    'must be at least 1',
    'must have at most 1 items',
  ]);
  expect(said({ items: [{ guest_number: 10 }] })).toEqual(['must be at most 9', 'is required: a list']);
  expect(said({ items: [], name: 'long', email: 'x', kind: 'boat', own: 'no' })).toEqual([
    'must have at least 1 items',
    'must have at most 3 characters',
    'must be a valid e-mail address',
    'must be one of car, motorbike',
    'must not be no',
  ]);
  expect(said({ name: 5 })).toEqual(['must be text']);
  expect(said({ radius: 0 })).toEqual(['must be more than 0']);
});

it('names the field that an unknown one is probably meant to be, at its own depth', () => {
  expect(fieldsAt(Body, [])).toContain('items');
  expect(fieldsAt(Body, ['items', 0])).toEqual(['guest_number', 'colours']);
  expect(fieldsAt(Body, ['items', 0, 'nope'])).toEqual([]);
  const known = ['guest_number', 'check_in_date', 'currency'];
  for (const [given, meant] of [
    ['guestNumber', 'guest_number'],
    ['guests_number', 'guest_number'],
    ['checkin_date', 'check_in_date'],
    ['curency', 'currency'],
  ] as const)
    expect(unknownField(given, known)).toBe(`Unknown field: ${given}. Did you mean ${meant}?`);
  expect(unknownField('coupon', known)).toBe('Unknown field: coupon.');
  expect(unknownField('per_page', ['page', 'limit'])).toBe('Unknown field: per_page. Did you mean limit?');
  expect(unknownField('per_page', known)).toBe('Unknown field: per_page.');
  expect(unknownField('x'.repeat(100_000), known)).not.toContain('Did you mean');
});

it('names the field in the message, and how many problems there are besides', () => {
  const first = { path: 'items[0].guest_number', message: 'must be at least 1' };
  expect(invalid(first).message).toBe('items[0].guest_number: must be at least 1');
  expect(invalid(first, first, first).message).toMatch(/ \(and 2 more, see details.issues\)$/);
  expect(invalid({ path: 'to', message: 'to is before from' }).message).toBe('to is before from');
});

it('names what is wrong with a value of one of several shapes by the shape that it is most like', () => {
  const price = z.strictObject({ price: z.number().min(1) });
  const percent = z.strictObject({ percent: z.number(), isRounded: z.boolean().optional() });
  const Change = z.strictObject({ change: z.union([price, percent]), at: z.int() });
  const issuesFor = (change: unknown) =>
    (Change.safeParse({ change, at: 1 }).error?.issues ?? [])
      .flatMap(nearestIssues)
      .map((issue) => `${issue.path.join('.')} ${validationMessage(issue)}`);
  expect(issuesFor({ price: 0 })).toEqual(['change.price must be at least 1']);
  expect(issuesFor({ percent: 'ten' })).toEqual(['change.percent must be a number']);
  expect(issuesFor({})).toEqual(['change.price is required: a number']);
  const own = z.union([z.string(), z.int()], 'must be a name or a number');
  expect(own.safeParse(null).error?.issues.flatMap(nearestIssues)).toMatchObject([
    { message: 'must be a name or a number' },
  ]);
});
