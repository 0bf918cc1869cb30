import type { ErrorAnswer, ServiceFailure, WebhookProblem } from './types.ts';

/** An error answer of the service. */
export class NightlatchError extends Error implements ServiceFailure {
  override readonly name = 'NightlatchError';
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, code, message, details, requestId, retryAfterSeconds }: ErrorAnswer) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No answer arrived: whether the service has done what was asked is unknown. */
export class NightlatchConnectionError extends Error {
  override readonly name = 'NightlatchConnectionError';
  /** Whether the time limit of the attempt was reached. */
  readonly isTimeout: boolean;

  constructor(message: string, options: { cause: unknown; isTimeout: boolean }) {
    super(message, { cause: options.cause });
    this.isTimeout = options.isTimeout;
  }
}

/** A request that is not a webhook of the service, or not one of now. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly problem: WebhookProblem;

  constructor(problem: WebhookProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/** Returns the error of an answer that is not 2xx, or is not what the service answers. */
export const errorFrom = (response: Response, text: string): NightlatchError => {
  const { status, headers } = response;
  const seconds = headers.get('Retry-After');
  const retryAfterSeconds = seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) : undefined;
  const body = jsonOf(text) as Partial<ErrorAnswer & { request_id: string }> | null | undefined;
  const requestId = body?.request_id ?? headers.get('X-Request-Id') ?? undefined;
  if (typeof body?.code !== 'string')
    return new NightlatchError({
      status,
      code: 'UNEXPECTED_ANSWER',
      message: `An answer with status ${status} that is not the service's.`,
      details: { text: text.slice(0, 500) },
      requestId,
      retryAfterSeconds,
    });
  const { code, message = code, details = {} } = body;
  return new NightlatchError({ status, code, message, details, requestId, retryAfterSeconds });
};

/** Returns the value of a JSON text; undefined if it is none. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
