import type { Answer, Media, Schemas } from './openapi-document.ts';
import { sampleOf } from './openapi-sample.ts';
import { writeSchemaExamples } from './openapi-schema-examples.ts';

/** An example of the document, in its place. */
export interface PlacedExample {
  operationId: string;
  media: Media;
  answer?: Answer;
}

/** More differences are not worth words. */
const mostDifferences = 6;
/** A shorter example is not worth a reference. */
const shortest = 300;

/**
 * Writes examples once, at the schemas, and leaves out those that follow from them; returns, as components, those that
 * several answers share. Ids of other records are no difference, and a few other values are a sentence of the answer.
 */
export const shareExamples = (
  placed: readonly PlacedExample[],
  schemas: Schemas,
): Record<string, { value: unknown }> => {
  const shown = placed.filter(({ media }) => media.example !== undefined);
  const examples = shown.map(({ media: { schema, example } }) => ({ schema, example }));
  writeSchemaExamples(examples, schemas);
  const kept = shown.filter((one) => !isDerived(one, sampleOf(one.media.schema, schemas)));
  const shared: Record<string, { value: unknown }> = {};
  const leaders: PlacedExample[] = [];
  for (const one of kept) {
    const leader = leaders.find(({ media }) => isTwin(media, one.media));
    if (!leader) leaders.push(one);
    else if (sizeOf(one.media.example) >= shortest) {
      shared[leader.operationId] ??= { value: leader.media.example };
      for (const { media } of [leader, one])
        media.examples = { answer: { $ref: `#/components/examples/${leader.operationId}` } };
      delete one.media.example;
    }
  }
  for (const { media } of leaders) if (media.examples) delete media.example;
  return shared;
};

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

const isTwin = (one: Media, other: Media): boolean =>
  JSON.stringify(one.schema) === JSON.stringify(other.schema) && isSame(one.example, other.example);

/** Leaves out an example that follows from its schema; what is different in it is added to the description of the answer. */
const isDerived = ({ media, answer }: PlacedExample, sample: unknown): boolean => {
  const { example } = media;
  if (!isSame(sample, example)) {
    const sentence =
      answer && isFields(sample) && isFields(example) ? differences(sample, example) : undefined;
    if (sentence === undefined || 2 * sentence.length > sizeOf(example)) return false;
    if (answer) answer.description = `${answer.description.replace(/\.$/, '')}, ${sentence}`;
  }
  delete media.example;
  return true;
};

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (name: string): boolean => /(?:^|_)id$/.test(name);

/** Whether two examples show the same, of whichever record. */
const isSame = (one: unknown, other: unknown, name = ''): boolean => {
  if (isId(name) && one !== null && other !== null) return typeof one === typeof other;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  if (!isFields(one) || !isFields(other)) return one === other;
  return namesOf(one, other).every((field) => isSame(one[field], other[field], field));
};

const namesOf = (one: Fields, other: Fields): string[] => [
  ...new Set([...Object.keys(one), ...Object.keys(other)]),
];

/** Returns the values of an example that are not those of the schema's, in a sentence; undefined if they are too many. */
const differences = (sample: Fields, example: Fields): string | undefined => {
  const names = namesOf(sample, example).filter((name) => !isSame(sample[name], example[name], name));
  if (names.length > mostDifferences || names.some((name) => example[name] === undefined)) return undefined;
  return `for example with ${names.map((name) => `\`${name}\`: \`${JSON.stringify(example[name])}\``).join(', ')}.`;
};
