import type * as z from 'zod';
import type { Operation } from './openapi-document.ts';
import type { SchemaComponents } from './openapi-schemas.ts';

/** An event that the service sends to webhooks. */
export interface OutgoingEvent {
  /** The event type, such as `booking.created`. */
  type: string;
  meaning: string;
  schema: z.ZodType;
  example: unknown;
}

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** The headers of every request to a webhook, as standardwebhooks.com says, as components. */
const signed = [
  header(
    'webhook-id',
    'The id of the event: the same for each try of a delivery.',
    'evt_mjx0d2k9c000a1b2c3d4e5f6a',
  ),
  header('webhook-timestamp', 'Unix time of this try; refuse one that is far from your own.', '1800000000'),
  header(
    'webhook-signature',
    'One or two signatures, separated by a space: `v1,` and the HMAC-SHA256 of `id.timestamp.body` with the secret, in base64.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** The parameters of webhooks, as components. */
export const webhookParameters = Object.fromEntries(signed.map((parameter) => [parameter.name, parameter]));

const nameOf = (type: string): string =>
  `on${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;

/** Returns the webhooks of the OpenAPI document: what a receiver gets, and how its answer is understood (D62). */
export const webhookOperations = (
  events: readonly OutgoingEvent[],
  tag: string,
  book: SchemaComponents,
): Record<string, { post: Operation }> =>
  Object.fromEntries(
    events.map(({ type, meaning, schema, example }) => [
      type,
      {
        post: {
          operationId: nameOf(type),
          tags: [tag],
          summary: type,
          description: meaning,
          security: [],
          parameters: signed.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: book.output(schema), example } },
          },
          responses: {
            204: { description: 'Any 2xx within 10 seconds: received.' },
            410: { description: 'The webhook is disabled. Any other answer is tried again later.' },
          },
        },
      },
    ]),
  );
