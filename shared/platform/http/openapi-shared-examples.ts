interface Media {
  example?: unknown;
  examples?: unknown;
}
interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, Media> }>;
}
type Paths = Record<string, Record<string, Operation>>;

/** A shorter example is not worth a reference. */
const shortest = 300;

const answersOf = (paths: Paths): { operationId: string; media: Media }[] =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, responses }) =>
      Object.values(responses)
        .flatMap(({ content = {} }) => Object.values(content))
        .map((media) => ({ operationId, media })),
    );

/** Moves the examples that several answers have into components, which it returns; each has the name of its first operation. */
export const shareExamples = (paths: Paths): Record<string, { value: unknown }> => {
  const groups = new Map<string, { operationId: string; media: Media }[]>();
  for (const answer of answersOf(paths)) {
    const text = answer.media.example === undefined ? '' : JSON.stringify(answer.media.example);
    if (text.length >= shortest) groups.set(text, [...(groups.get(text) ?? []), answer]);
  }
  const shared: Record<string, { value: unknown }> = {};
  for (const [first, ...others] of groups.values()) {
    if (!first || others.length === 0) continue;
    shared[first.operationId] = { value: first.media.example };
    for (const { media } of [first, ...others]) {
      delete media.example;
      media.examples = { answer: { $ref: `#/components/examples/${first.operationId}` } };
    }
  }
  return shared;
};
