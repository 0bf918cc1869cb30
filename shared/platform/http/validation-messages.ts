import * as z from 'zod';

/** Returns zod's built-in messages as instructions; messages of own rules stay unchanged. */
export const validationMessage = (issue: z.core.$ZodIssue): string => {
  if (!/^(Invalid|Too small|Too big)/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? `is required: ${kindOf(issue.expected)}`
        : `must be ${kindOf(issue.expected)}`;
    case 'too_small':
      return `must ${unitOf(issue.origin, issue.inclusive === false ? 'more than' : 'at least', Number(issue.minimum))}`;
    case 'too_big':
      return `must ${unitOf(issue.origin, 'at most', Number(issue.maximum))}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return `must be a valid ${issue.format === 'email' ? 'e-mail address' : issue.format}`;
    default:
      return issue.message;
  }
};

/** Returns what is wrong with a value of one of several shapes: the issues of the shape of which it lacks least. */
export const nearestIssues = (issue: z.core.$ZodIssue): z.core.$ZodIssue[] => {
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return [issue];
  const [best, ...others] = issue.errors;
  if (!best) return [issue];
  const least = others.reduce((one, other) => (other.length < one.length ? other : one), best);
  return least.flatMap((one) => nearestIssues({ ...one, path: [...issue.path, ...one.path] }));
};

const kinds: Record<string, string> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const kindOf = (expected: string): string => kinds[expected] ?? expected;

const unitOf = (origin: string, bound: string, count: number): string => {
  if (origin === 'string') return `have ${bound} ${count} characters`;
  return origin === 'array' ? `have ${bound} ${count} items` : `be ${bound} ${count}`;
};

/** What other APIs call the same. */
const otherNames: Readonly<Record<string, string>> = {
  pagesize: 'limit',
  perpage: 'limit',
  size: 'limit',
  count: 'limit',
  offset: 'page',
  skip: 'page',
};

/** Returns the message for an unknown field, with the nearest known name. */
export const unknownField = (name: string, known: readonly string[]): string => {
  if (name === 'payment_gateway_token' && known.includes('payment_method'))
    return `Unknown field: ${name}. The guest pays at \`payment_url\`.`;
  const other = otherNames[normalized(name.slice(0, 64))];
  const near = other !== undefined && known.includes(other) ? other : nearest(name, known);
  return `Unknown field: ${name}.${near === undefined ? '' : ` Did you mean ${near}?`}`;
};

/** Returns the known name that is nearest to the given one, if any is near. */
export const nearest = (name: string, known: readonly string[]): string | undefined => {
  const ranked = known
    .map((candidate) => ({ candidate, far: nearness(name, candidate) }))
    .filter(({ far }) => far !== undefined)
    .sort((one, other) => (one.far ?? 0) - (other.far ?? 0));
  return ranked[0]?.candidate;
};

/** Returns the edit distance between two names; undefined if it is large. */
export const nearness = (name: string, known: string): number | undefined => {
  const far = distance(normalized(name.slice(0, 64)), normalized(known));
  return far <= Math.max(1, Math.floor(known.length / 3)) ? far : undefined;
};

const normalized = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '');

/** Returns the Levenshtein distance. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1];
    for (let to = 1; to <= other.length; to++)
      next.push(
        Math.min(
          (row[to] ?? 0) + 1,
          (next[to - 1] ?? 0) + 1,
          (row[to - 1] ?? 0) + (other[to - 1] === one[at] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[other.length] ?? 0;
};

/** Returns the fields that a schema has at a path. */
export const fieldsAt = (schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] => {
  const [step, ...rest] = path;
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && step !== undefined) return fieldsAt(inner.element, rest);
  if (!(inner instanceof z.ZodObject)) return [];
  if (step === undefined) return Object.keys(inner.shape);
  const field = inner.shape[String(step)] as z.core.$ZodType | undefined;
  return field ? fieldsAt(field, rest) : [];
};

const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrapped(schema.unwrap());
  return schema instanceof z.ZodPipe
    ? unwrapped(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
    : schema;
};
