import * as z from 'zod';
import { lineOf, Money, Percent, TimeText, TimeZone } from '../../platform/schema/schema.ts';
import { zoneSpelling } from '../../platform/time/zone-spelling.ts';
import { DoorCode } from './listing.schema.ts';

/** The kinds of fields that a host writes of a listing, with their limits. */

const maxTextLength = 4000;
const maxDepth = 8;

/** Whether DynamoDB can store the value: limited depth, no empty names, numbers within its range. */
const isPlain = (value: unknown, depth = 1): boolean => {
  if (typeof value === 'number') return value === 0 || (Math.abs(value) > 1e-100 && Math.abs(value) < 1e100);
  if (typeof value !== 'object' || value === null) return true;
  return (
    depth < maxDepth && Object.entries(value).every(([key, part]) => key !== '' && isPlain(part, depth + 1))
  );
};

export const text = (max: number) => z.string().max(max);
export const decimals = (digits: number) => (value: number) => Number(value.toFixed(digits)) === value;
export const degrees = (most: number) =>
  z
    .number()
    .min(-most)
    .max(most)
    .overwrite((value) => Number(value.toFixed(8)));

/** Makes a field optional: null if absent at creation. */
export const orNull = <T extends z.ZodType>(field: T) => field.nullable().default(null);

export const slug = () =>
  z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
    .max(255)
    .meta({ description: 'Unique within the team.', examples: ['can-ho-nhin-ra-ho-tay'] });
export const guests = () => z.int().min(1).max(1000);
export const count = () => z.int().min(0).max(1000);
export const timezone = () => TimeZone.overwrite(zoneSpelling);

/** A door code within limits. */
export const limitedDoorCode = () =>
  DoorCode.refine((value) => JSON.stringify(value).length <= maxTextLength, {
    error: `must be at most ${maxTextLength} characters of JSON`,
    abort: true,
  }).refine((value) => isPlain(value), 'must be a plain object, at most 8 levels deep');

export const name = () =>
  lineOf(255).meta({
    description: 'Name, at most 255 characters on one line.',
    examples: ['Căn hộ nhìn ra Hồ Tây'],
  });
export const amount = () => Money.default(0);
export const off = () => z.boolean().default(false);
export const on = () => z.boolean().default(true);
export const percent = () => Percent.refine(decimals(4), 'must have at most 4 decimals');
export const time = () => orNull(TimeText);
export const maybeCount = () => orNull(count());
export const shortText = () => orNull(text(255));
export const maybeTexts = () => orNull(z.array(text(64).min(1)).max(50));
