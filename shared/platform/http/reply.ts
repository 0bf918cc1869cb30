import { errorCatalogue, ServiceError } from '../errors.ts';

/** A response in the form that API Gateway expects. */
export interface Answer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded?: boolean;
}

/** A verb's response with another status or additional headers. */
export class Reply<Body> {
  readonly body: Body;
  readonly status: number | undefined;
  readonly headers: Record<string, string>;
  constructor(body: Body, options: { status?: number; headers?: Record<string, string> }) {
    this.body = body;
    this.status = options.status;
    this.headers = options.headers ?? {};
  }
}

/** What every answer says to a browser: do not guess its type, and come by https alone from now on (D112). */
export const browserSafety = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
} as const;

export const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };

/** Returns the documented error body with the request's id (D101); customer verification errors also have `error` (D8). */
export const errorBody = (error: ServiceError, request_id?: string): string => {
  const shape = { code: error.code, message: error.message, details: error.details, request_id };
  const verification = error.code === 'USER_NOT_VERIFIED' || error.code === 'EMAIL_NOT_VERIFIED';
  return JSON.stringify(verification ? { error: error.code, ...shape } : shape);
};

export const errorHeaders = (error: ServiceError): Record<string, string> => ({
  ...jsonHeaders,
  ...(error.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(error.retryAfterSeconds) }),
});

/** Returns what is wrong with a body that is not JSON. The parser's own words are not shown: they quote the body. */
const notJson = (error: { statusCode?: unknown; cause?: unknown }): string => {
  const { data, message = '' } = (error.cause ?? {}) as { data?: unknown; message?: string };
  if (error.statusCode === 422 && (data === undefined || data === ''))
    return 'The body is empty: send a JSON object.';
  const known = knownMistake(typeof data === 'string' ? data : '', message);
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? [];
  const place = line === undefined ? '' : `: see line ${line}, column ${column}`;
  return `The body is not valid JSON${known ?? place}. Names and texts are in double quotes, and no comma follows the last field.`;
};

/** Returns what the parser's message does not place, or not clearly. */
const knownMistake = (body: string, message: string): string | undefined => {
  if (message.includes('end of JSON input')) return ': it ends too early';
  if (body.startsWith('\uFEFF')) return ': it begins with a byte order mark (BOM)';
  const [, word] = /[[:,]\s*-?(NaN|Infinity)\b/.exec(body) ?? [];
  const isAtWord = /^(Unexpected token '[NI]'|No number after minus)/.test(message);
  return isAtWord && word !== undefined ? `: ${word} is no JSON number` : undefined;
};

/**
 * Returns any thrown value as an error for the caller: ServiceErrors unchanged, body-parser errors translated, all others as
 * INTERNAL_ERROR.
 */
export const visibleError = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error;
  const status = (error as { statusCode?: unknown } | undefined)?.statusCode;
  if (status === errorCatalogue.UNSUPPORTED_MEDIA_TYPE.status)
    return new ServiceError('UNSUPPORTED_MEDIA_TYPE');
  if (status === 422 || status === 400) {
    const message = notJson(error as object);
    return new ServiceError('VALIDATION_ERROR', message, { issues: [{ path: '', message }] });
  }
  return new ServiceError('INTERNAL_ERROR', undefined, {}, { cause: error });
};
