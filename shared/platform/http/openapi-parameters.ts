import type { Parameter, Reference } from './openapi-document.ts';

/** The headers of requests. */
export const sharedParameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes repeating safe: for 24 hours the same key and body get the first answer again, byte for byte. Decisions are kept (2xx, 402, 409, 410); after any other refusal the corrected request may use the same key. Any text that is new for each request, such as a UUID.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  'X-Team-ID': {
    name: 'X-Team-ID',
    in: 'header',
    description: 'The team to act for; may be left out by a host of one team.',
    schema: { type: 'integer', minimum: 1 },
  },
};

/**
 * The parameters of operations as components, by name. One that has the name of another but not its form stays with its
 * operation.
 */
export class ParameterComponents {
  readonly #known = new Map<string, Parameter>();

  /** Returns a reference to a parameter. */
  link(parameter: Parameter): Parameter | Reference {
    const { name } = parameter;
    const known = this.#known.get(name) ?? parameter;
    this.#known.set(name, known);
    return JSON.stringify(known) === JSON.stringify(parameter)
      ? { $ref: `#/components/parameters/${name}` }
      : parameter;
  }

  components(): Record<string, Parameter> {
    return Object.fromEntries(this.#known);
  }
}
