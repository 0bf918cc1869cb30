import { errorCatalogue, type ErrorCode, ServiceError } from '../errors.ts';
import { errorBody } from './reply.ts';
import { errorsOf, type Route } from './route.ts';

const schemaOf = (codes: readonly ErrorCode[]) => ({
  allOf: [{ $ref: '#/components/schemas/Error' }],
  properties: { code: { type: 'string', enum: codes } },
});

/** The error schemas (D5, D8). */
export const errorSchemas = {
  Error: {
    type: 'object',
    description: 'The shape of every error. Verification errors also carry `error`.',
    required: ['code', 'message', 'details'],
    properties: {
      code: { type: 'string', enum: Object.keys(errorCatalogue) },
      message: { type: 'string', description: 'For people; may change.' },
      details: {
        type: 'object',
        description: 'What belongs to the code, for example `issues`.',
        properties: { issues: { type: 'array', items: { $ref: '#/components/schemas/Issue' } } },
      },
      request_id: { type: 'string', description: 'The same as the header `X-Request-Id`.' },
      error: { type: 'string', description: 'The code again, in verification errors alone.' },
    },
  },
  Issue: {
    type: 'object',
    description: 'One problem of a request.',
    required: ['path', 'message'],
    properties: {
      path: { type: 'string', examples: ['items[0].guest_number'] },
      message: { type: 'string', examples: ['Too small: expected number to be >=1'] },
    },
  },
};

const exampleDetails: Partial<Record<ErrorCode, Record<string, unknown>>> = {
  VALIDATION_ERROR: {
    issues: [{ path: 'items[0].guest_number', message: 'Too small: expected number to be >=1' }],
  },
  LISTING_NOT_AVAILABLE: {
    unavailable: [{ listing_id: 4711, start_at: '2027-02-04T14:00:00', end_at: '2027-02-07T12:00:00' }],
    free_again: [{ listing_id: 4711, at: '2027-02-09T12:00:00' }],
  },
  USER_NOT_VERIFIED: { user_id: 815, verification_status: 'PENDING', action_required: 'VERIFY_EMAIL' },
  EMAIL_NOT_VERIFIED: { user_id: 815, verification_status: 'PENDING', action_required: 'VERIFY_EMAIL' },
};

/** Returns one example for each error code, shared by all operations. */
export const errorExamples = () =>
  Object.fromEntries(
    (Object.keys(errorCatalogue) as ErrorCode[]).map((code) => [
      code,
      {
        summary: errorCatalogue[code].meaning,
        value: JSON.parse(
          errorBody(
            new ServiceError(code, undefined, exampleDetails[code]),
            'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
          ),
        ) as unknown,
      },
    ]),
  );

const headersAt = (status: number): string[] => {
  if (status === 429)
    return ['X-Request-Id', 'Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
  return status === 503 ? ['X-Request-Id', 'Retry-After'] : ['X-Request-Id'];
};

/** The error responses of all routes as shared components: one for each set of codes with the same status. */
export class ErrorResponses {
  readonly #responses: Record<string, unknown> = {};

  /** Returns a route's error responses by status. */
  of(route: Route): Record<string, { $ref: string }> {
    const byStatus = new Map<number, ErrorCode[]>();
    for (const code of errorsOf(route).toSorted()) {
      const { status } = errorCatalogue[code];
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    return Object.fromEntries(
      [...byStatus].map(([status, codes]) => [String(status), this.#link(status, codes)]),
    );
  }

  components(): Record<string, unknown> {
    return this.#responses;
  }

  #link(status: number, codes: readonly ErrorCode[]): { $ref: string } {
    const name = codes.join('.');
    this.#responses[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`).join('\n\n'),
      headers: headerLinks(headersAt(status)),
      content: {
        'application/json': {
          schema: schemaOf(codes),
          examples: Object.fromEntries(
            codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      },
    };
    return { $ref: `#/components/responses/${name}` };
  }
}

/** Returns references to response headers. */
export const headerLinks = (names: readonly string[]): Record<string, { $ref: string }> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
