import * as z from 'zod';

const longestText = 4000;
const deepest = 8;

/** Whether the table can hold the value: not too deep, no empty names, numbers of a sane size. */
const isPlain = (value: unknown, depth = 1): boolean => {
  if (typeof value === 'number') return value === 0 || (Math.abs(value) > 1e-100 && Math.abs(value) < 1e100);
  if (typeof value !== 'object' || value === null) return true;
  return (
    depth < deepest && Object.entries(value).every(([key, part]) => key !== '' && isPlain(part, depth + 1))
  );
};

/** Entry information of a listing, in the host's own words and fields. */
export const DoorCode = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= longestText, {
    error: `must be at most ${longestText} characters of JSON`,
    abort: true,
  })
  .refine((value) => isPlain(value), 'must be a plain object, at most 8 levels deep')
  .meta({ description: 'Entry information, free-form.', examples: [{ code: '2580#' }] });
