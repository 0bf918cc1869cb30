import type * as z from 'zod';

/**
 * How what is parsed rarely, or is small, is parsed: without the function that zod compiles for a schema of an object, which costs
 * as much as a hundred such parses.
 */
export const uncompiled = { jitless: true } as const;

const parsed = new WeakSet<z.ZodType>();

/** Parses with a schema that is compiled at its second use in this process: a function may start for one request. */
export const parseCompiledLater = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> => {
  if (parsed.has(schema)) return schema.parse(value);
  parsed.add(schema);
  return schema.parse(value, uncompiled);
};
