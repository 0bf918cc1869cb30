import { errorCatalogue, type ErrorCode, ServiceError } from '../errors.ts';
import type { Answer, Reference, Schemas } from './openapi-document.ts';
import { errorBody } from './reply.ts';
import { errorsOf, generalErrors, type Route } from './route.ts';

/** The error schemas that all operations share (D5, D8). */
const sharedSchemas = {
  ErrorCode: {
    type: 'string',
    description: 'What went wrong. Each operation lists the codes that it can answer.',
    enum: Object.keys(errorCatalogue),
  },
  Error: {
    type: 'object',
    description: 'The shape of every error. Verification errors also carry `error`.',
    required: ['code', 'message', 'details', 'request_id'],
    properties: {
      code: { $ref: '#/components/schemas/ErrorCode' },
      message: { type: 'string', description: 'For people; may change.' },
      details: { $ref: '#/components/schemas/ErrorDetails' },
      request_id: {
        type: 'string',
        description: 'The same as the header `X-Request-Id`; of a repeated answer, that of the first.',
      },
      error: { type: 'string', description: 'The code again, in verification errors alone.' },
    },
  },
  ErrorDetails: {
    type: 'object',
    description: 'What belongs to the code, for example `issues`.',
    additionalProperties: true,
    properties: { issues: { type: 'array', items: { $ref: '#/components/schemas/Issue' } } },
  },
  Issue: {
    type: 'object',
    description: 'One problem of a request.',
    required: ['path', 'message'],
    properties: {
      path: { type: 'string', examples: ['items[0].guest_number'] },
      message: { type: 'string', examples: ['must be at least 1'] },
    },
  },
};

const unverified = { user_id: 5312, verification_status: 'PENDING', action_required: 'VERIFY_EMAIL' };

const exampleDetails: Partial<Record<ErrorCode, Record<string, unknown>>> = {
  VALIDATION_ERROR: {
    issues: [{ path: 'items[0].guest_number', message: 'must be at least 1' }],
  },
  LISTING_NOT_AVAILABLE: {
    unavailable: [{ listing_id: 4711, start_at: '2027-02-04T14:00:00', end_at: '2027-02-07T12:00:00' }],
    free_again: [{ listing_id: 4711, at: '2027-02-09T12:00:00' }],
  },
  STAY_NOT_ALLOWED: {
    reasons: [{ listing_id: 4711, rule: 'min_nights', date: '2027-02-04', allowed: 3 }],
    nearest: [{ listing_id: 4711, check_in_date: '2027-02-11', check_out_date: '2027-02-13' }],
  },
  MANAGED_BY_CHANNEL: { external_system: 'Airbnb' },
  USER_NOT_VERIFIED: unverified,
  EMAIL_NOT_VERIFIED: unverified,
};

/** Returns one example for each of the given error codes, shared by all operations. */
const examplesOf = (codes: ReadonlySet<ErrorCode>): Record<string, { value: unknown }> =>
  Object.fromEntries(
    [...codes].toSorted().map((code) => [
      code,
      {
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

const statusWords: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'PaymentRequired',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  422: 'Unprocessable',
  500: 'ServerError',
  502: 'BadGateway',
};

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The name of the component of one or two codes: `LISTING_NOT_FOUND` is `ListingNotFoundError`. */
const nameOfCodes = (codes: readonly ErrorCode[]): string =>
  `${codes
    .map((code) =>
      code
        .toLowerCase()
        .split('_')
        .map(capitalised)
        .join('')
        .replace(/Error$/, ''),
    )
    .join('Or')}Error`;

/**
 * The error responses as components, each with a schema of its codes: one for each set of codes that an operation may answer
 * with at a status. The schema has the name of its code, of two codes, or of the first operation with more, such as
 * `ConfirmCheckoutConflict`; the response has the same name, or that of its status if the code is one of all operations.
 */
export class ErrorComponents {
  readonly #responses: Record<string, Answer> = {};
  readonly #schemas: Schemas = {};
  readonly #codes = new Set<ErrorCode>();
  readonly #names = new Map<string, string>();

  /** Returns the error responses of an operation by status. */
  of(operationId: string, route: Route): Record<string, Reference> {
    const byStatus = new Map<number, ErrorCode[]>();
    // The gateway throttles every route, those that need no credentials too.
    const all = new Set<ErrorCode>([...errorsOf(route), 'RATE_LIMIT_EXCEEDED']);
    for (const code of [...all].toSorted()) {
      const { status } = errorCatalogue[code];
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    return Object.fromEntries(
      [...byStatus].map(([status, codes]) => [
        String(status),
        this.#link(this.#nameOf(codes, operationId, status), status, codes),
      ]),
    );
  }

  responses(): Record<string, Answer> {
    return this.#responses;
  }

  schemas(): Schemas {
    return { ...sharedSchemas, ...this.#schemas };
  }

  examples(): Record<string, { value: unknown }> {
    return examplesOf(this.#codes);
  }

  #nameOf(codes: readonly ErrorCode[], operationId: string, status: number): string {
    const set = codes.join();
    const own = `${capitalised(operationId)}${statusWords[status] ?? status}`;
    const name = this.#names.get(set) ?? (codes.length > 2 ? own : nameOfCodes(codes));
    this.#names.set(set, name);
    return name;
  }

  #link(name: string, status: number, codes: readonly ErrorCode[]): Reference {
    codes.forEach((code) => this.#codes.add(code));
    this.#schemas[name] ??= {
      allOf: [{ $ref: '#/components/schemas/Error' }],
      properties: { code: { type: 'string', enum: [...codes] } },
    };
    const responseName = codes.every((code) => generalErrors.has(code)) ? String(status) : name;
    this.#responses[responseName] ??= {
      description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`).join('\n\n'),
      headers: headerLinks(headersAt(status)),
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${name}` },
          examples: Object.fromEntries(
            codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      },
    };
    return { $ref: `#/components/responses/${responseName}` };
  }
}

/** Returns references to response headers. */
export const headerLinks = (names: readonly string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
