/** Every error code: its HTTP status and its meaning (D7). The OpenAPI document is made from it. */
export const errorCatalogue = {
  VALIDATION_ERROR: { status: 400, meaning: 'The request is invalid; `details.issues` lists every problem.' },
  EXTERNAL_INVALID_REQUEST: {
    status: 400,
    meaning: 'The request format is invalid, for example `team_ids` is not valid JSON.',
  },
  EXTERNAL_INVALID_STATE: { status: 400, meaning: 'The state value is not one of the published ones.' },
  EXTERNAL_INVALID_DATE_FORMAT: {
    status: 400,
    meaning: 'A date is not written as YYYY-MM-DD or does not exist.',
  },
  EXTERNAL_BOOKING_ID_REQUIRED: {
    status: 400,
    meaning: '`external_system` is given without `external_booking_id`: send both, or the second alone.',
  },
  UNAUTHORIZED: { status: 401, meaning: 'The key or token is missing, unknown, revoked or expired.' },
  INVALID_CREDENTIALS: { status: 401, meaning: 'The e-mail or the password is wrong.' },
  PAYMENT_DECLINED: {
    status: 402,
    meaning: 'The gateway declined the payment: nothing was charged, and nothing is booked.',
  },
  FORBIDDEN: { status: 403, meaning: 'The caller is known but may not do this.' },
  MFA_REQUIRED: {
    status: 403,
    meaning: 'The token was issued without the second factor that hosts need.',
  },
  USER_NOT_VERIFIED: { status: 403, meaning: 'The caller has not verified the e-mail address yet.' },
  EMAIL_NOT_VERIFIED: {
    status: 403,
    meaning: 'The identity provider refuses the login until the e-mail is verified.',
  },
  INVITATION_FOR_ANOTHER_ADDRESS: {
    status: 403,
    meaning: 'The invitation is for another address than that of the caller’s account.',
  },
  PASSWORD_RESET_REQUIRED: {
    status: 403,
    meaning:
      'Another party chose the first password of this account: `POST /api/v1/invitations/{token}/reset` mails a link to set a new one, then sign in again.',
  },
  EXTERNAL_CUSTOMER_NOT_ACCESSIBLE: { status: 403, meaning: "The customer is not in the key's teams." },
  NOT_FOUND: { status: 404, meaning: 'There is no such route or sub-resource.' },
  LISTING_NOT_FOUND: { status: 404, meaning: 'The listing does not exist or is not visible to the caller.' },
  BOOKING_NOT_FOUND: { status: 404, meaning: 'The booking does not exist or is not visible to the caller.' },
  EXTERNAL_LISTING_NOT_ACCESSIBLE: {
    status: 404,
    meaning: "The listing does not exist or is outside the key's teams.",
  },
  EXTERNAL_BOOKING_NOT_ACCESSIBLE: {
    status: 404,
    meaning: "The booking does not exist or is outside the key's teams.",
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path exists, but not with this method: the header `Allow` lists those that it has.',
  },
  LISTING_NOT_AVAILABLE: {
    status: 409,
    meaning: 'The time is taken; `details.unavailable` says which, `details.free_again` until when.',
  },
  STAY_NOT_ALLOWED: {
    status: 409,
    meaning:
      'The stay rules of a listing refuse the stay: `details.reasons` says why, `details.nearest` which stays of the same length they take.',
  },
  PRICE_CHANGED: {
    status: 409,
    meaning: 'The price differs from `expected_total`; `details.preview` holds the new one.',
  },
  SLUG_ALREADY_EXISTS: { status: 409, meaning: 'Another listing of the team has this slug.' },
  INVALID_STATE_TRANSITION: {
    status: 409,
    meaning: 'The record cannot move from its state to the asked one.',
  },
  MANAGED_BY_CHANNEL: {
    status: 409,
    meaning:
      'The stay was sold on another platform, whose calendar is followed: its time and its cancellation come from there.',
  },
  TOO_MANY_UNPAID_BOOKINGS: {
    status: 409,
    meaning:
      'The customer would have more future stays unpaid than may be; `details` has the `limit`, the `count` and the `bookings`.',
  },
  CUSTOMER_ALREADY_EXISTS: { status: 409, meaning: 'The identity provider knows this e-mail already.' },
  EXTERNAL_BOOKING_ID_CONFLICT: {
    status: 409,
    meaning: 'The external booking id was used with other content.',
  },
  CHECKOUT_EXPIRED: {
    status: 410,
    meaning: 'The quote or its hold has ended, or the soft lock has and its time is taken.',
  },
  CURSOR_OUT_OF_DATE: {
    status: 410,
    meaning:
      'Events behind this cursor may have been missed since `details.missed_since`: begin again at `details.cursor`.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning: 'The request body has more than 256 KiB, or what is to be stored is too large.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The body is not JSON in UTF-8: send it with `Content-Type: application/json`.',
  },
  IDEMPOTENCY_KEY_REUSED: { status: 422, meaning: 'The Idempotency-Key was used with another request.' },
  RATE_LIMIT_EXCEEDED: { status: 429, meaning: 'Too many requests; try again after `Retry-After` seconds.' },
  CHECKOUT_CREATE_BOOKING_FAILED: {
    status: 500,
    meaning: 'The booking could not be created; what was charged goes back.',
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'Something failed on our side; the request id helps us to find it.',
  },
  IDENTITY_PROVIDER_UNAVAILABLE: { status: 502, meaning: 'The identity provider does not answer.' },
  PAYMENT_GATEWAY_UNAVAILABLE: {
    status: 502,
    meaning:
      'The payment gateway does not answer; repeated with the same Idempotency-Key the request goes on, and charges once.',
  },
  SERVICE_UNAVAILABLE: { status: 503, meaning: 'Busy; try again after `Retry-After` seconds.' },
} as const;

export type ErrorCode = keyof typeof errorCatalogue;

/** One problem of a request: the field and a message (D5). */
export interface Issue {
  path: string;
  message: string;
}

/** An error that is shown to the caller. Any other error becomes INTERNAL_ERROR. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string = errorCatalogue[code].meaning,
    details: Record<string, unknown> = {},
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }
}

/** Returns a VALIDATION_ERROR that lists every problem (D5). */
export const invalid = (...issues: Issue[]): ServiceError =>
  new ServiceError('VALIDATION_ERROR', issuesText(issues), { issues });

/** Returns the first problem and the number of others as text. */
export const issuesText = ([first, ...others]: readonly Issue[]): string => {
  if (!first) return 'The request is invalid.';
  const text = isNamed(first) ? first.message : `${first.path}: ${first.message}`;
  return others.length === 0 ? text : `${text} (and ${others.length} more, see details.issues)`;
};

/**
 * Returns whether a message already names its field. A field of one lower-case word, such as `reason`, may be in the message
 * with its usual meaning.
 */
const isNamed = ({ path, message }: Issue): boolean =>
  path === '' ||
  message.startsWith(`${path} `) ||
  message.startsWith(`Unknown field: ${path}.`) ||
  (/[^a-z]/.test(path) && message.split(/[^\w.[\]-]+/).includes(path));
