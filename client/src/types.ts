/** A credential, or a function that returns the current one; it is called for every attempt. */
export type Credential = string | (() => string | Promise<string>);

/** What every client is made with. */
export interface ClientOptions {
  /** Address of the service, such as `https://api.example.com`. */
  baseUrl: string;
  /** Most attempts of one call, the first included. Default 4. */
  maxAttempts?: number | undefined;
  /** Time limit of one attempt in milliseconds. Default 30,000. */
  timeoutMs?: number | undefined;
  /** Called before a call is repeated. */
  onRetry?: ((retry: Retry) => void) | undefined;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** A partner's back end. The key must stay there: browsers are refused. */
export interface PartnerOptions extends ClientOptions {
  apiKey: Credential;
  accessToken?: undefined;
  publishableKey?: undefined;
}

/** A web page of a team: its publishable key is no secret. */
export interface PageOptions extends ClientOptions {
  publishableKey: Credential;
  apiKey?: undefined;
  accessToken?: undefined;
}

/** A guest or a host. */
export interface UserOptions extends ClientOptions {
  accessToken: Credential;
  apiKey?: undefined;
  publishableKey?: undefined;
  /** The team to act for, sent as `X-Team-ID`. */
  teamId?: number | undefined;
}

/** Without a credential. */
export interface PublicOptions extends ClientOptions {
  apiKey?: undefined;
  accessToken?: undefined;
  publishableKey?: undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, its attempts and the waits between them. */
  signal?: AbortSignal | undefined;
  maxAttempts?: number | undefined;
  timeoutMs?: number | undefined;
  /** Additional request headers. */
  headers?: Record<string, string> | undefined;
}

/** Options of a write that takes an `Idempotency-Key`. */
export interface WriteOptions extends CallOptions {
  /** Default: a random key for each call, the same for all of its attempts. */
  idempotencyKey?: string | undefined;
}

/** Options of an operation that acts for a team. */
export interface TeamOptions {
  /** Sent as `X-Team-ID`, instead of the client's. */
  teamId?: number | undefined;
}

/** An attempt that failed and is going to be repeated. */
export interface Retry {
  operation: string;
  /** 1 for the first. */
  attempt: number;
  delayMs: number;
  error: Error;
}

/** A running call: a promise of its answer. */
export interface Call<Answer> extends Promise<Answer> {
  /** Resolves with the answer and its response, for status and headers; the body is read already. */
  withResponse(): Promise<{ data: Answer; response: Response }>;
}

/** A running call of a list: a promise of the first page, and the items of all pages for `for await`. */
export interface PagedCall<Page, Item> extends Call<Page>, AsyncIterable<Item> {}

/** Options of the iterator over the feed of events. */
export interface EventsOptions {
  /** The cursor that was saved last; absent: from the oldest event that is kept. */
  after?: string | undefined;
  /** Absent: all teams of the key. */
  teamIds?: readonly number[] | undefined;
  /** Called when the events before a cursor have been processed; store it and pass it as `after` at the next start. */
  saveCursor?: ((cursor: string) => void | Promise<void>) | undefined;
  /** False: ends after the newest event. Default true: waits for further ones. */
  follow?: boolean | undefined;
  /** Milliseconds between two requests while there is nothing new. Default 5,000. */
  pollMs?: number | undefined;
  /**
   * Called where events may have been missed (410 `CURSOR_OUT_OF_DATE`); the iterator then continues from the oldest
   * event that is kept. Without it, the iterator throws.
   */
  onGap?: ((gap: FeedGap) => void | Promise<void>) | undefined;
  /** Called when the service cannot be reached; the iterator tries again after `delayMs`. */
  onOutage?: ((outage: { error: Error; delayMs: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Where events may have been missed. */
export interface FeedGap {
  /** Read again what may have changed since then; null: unknown. */
  missedSince: string | null;
  /** The oldest event that is kept. */
  cursor: string;
}

/** Options of the check of a webhook. */
export interface VerifyOptions {
  /** How far the timestamp may be from now. Default 300. */
  toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970, instead of the clock of this machine. */
  now?: (() => number) | undefined;
}

/** The headers of a request in any common form; names in any case. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

/** Why a webhook was refused. */
export type WebhookProblem = 'MISSING_HEADER' | 'TIMESTAMP' | 'SIGNATURE' | 'BODY';

/** What every error answer of the service has. */
export interface ServiceFailure extends Error {
  readonly status: number;
  /** The same as in the header `X-Request-Id`. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try, if the service has named them. */
  readonly retryAfterSeconds: number | undefined;
}

/** An error whose `code` narrows `details`. */
export type ErrorOf<Details> = {
  [Code in keyof Details]: ServiceFailure & { readonly code: Code; readonly details: Details[Code] };
}[keyof Details];

/** The class of such errors. */
export interface ErrorClass<Failure> {
  new (answer: ErrorAnswer): Failure;
  readonly prototype: Failure;
}

/** An error answer. */
export interface ErrorAnswer {
  status: number;
  code: string;
  message: string;
  details: Record<string, unknown>;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
}
