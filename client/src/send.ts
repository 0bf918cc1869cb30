import { errorFrom, jsonOf, NightlatchConnectionError, NightlatchError } from './errors.ts';
import { addressOf, type Input, type Operation } from './operation.ts';
import { retryDelayMs, wait } from './retry.ts';
import type { CallOptions, ClientOptions, Credential, WriteOptions } from './types.ts';

/** Options of every client together. */
export interface Settings extends ClientOptions {
  apiKey?: Credential | undefined;
  publishableKey?: Credential | undefined;
  accessToken?: Credential | undefined;
  teamId?: number | undefined;
}

export interface Exchange {
  data: unknown;
  response: Response;
}

export interface Request {
  operation: Operation;
  input: Input;
  options: WriteOptions & { teamId?: number | undefined };
}

const defaultAttempts = 4;
const defaultTimeoutMs = 30_000;

/** Sends a request, again where that is safe, and returns the answer. Throws NightlatchError and others. */
export const send = async (settings: Settings, { operation, input, options }: Request): Promise<Exchange> => {
  const { target, body } = addressOf(operation, input);
  const url = settings.baseUrl.replace(/\/+$/, '') + target;
  const key = operation.takesKey ? (options.idempotencyKey ?? newKey()) : undefined;
  const maxAttempts = options.maxAttempts ?? settings.maxAttempts ?? defaultAttempts;
  for (let attempt = 1; ; attempt++) {
    options.signal?.throwIfAborted();
    const headers = await headersOf(settings, options, { key, hasBody: body !== undefined });
    const init: RequestInit = { method: operation.method, headers, redirect: 'manual' };
    if (body !== undefined) init.body = body;
    try {
      return await sendOnce(settings, url, init, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      const delayMs = attempt < maxAttempts ? retryDelayMs(error, operation, attempt) : undefined;
      if (delayMs === undefined) throw error;
      settings.onRetry?.({ operation: operation.id, attempt, delayMs, error: error as Error });
      await wait(delayMs, options.signal);
    }
  }
};

const sendOnce = async (
  settings: Settings,
  url: string,
  init: RequestInit,
  { signal, timeoutMs = settings.timeoutMs ?? defaultTimeoutMs }: CallOptions,
): Promise<Exchange> => {
  const control = new AbortController();
  const abort = () => control.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const tooLate = new Error(`No answer within ${timeoutMs} ms.`);
  const timer = setTimeout(() => control.abort(tooLate), timeoutMs);
  try {
    const response = await (settings.fetch ?? fetch)(url, { ...init, signal: control.signal });
    const text = await response.text();
    const data = response.ok ? jsonOf(text) : undefined;
    if (data === undefined) throw errorFrom(response, text);
    return { data, response };
  } catch (error) {
    if (error instanceof NightlatchError) throw error;
    const isTimeout = control.signal.reason === tooLate;
    const message = isTimeout ? tooLate.message : 'The service could not be reached, or its answer was lost.';
    throw new NightlatchConnectionError(message, { cause: error, isTimeout });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
};

const headersOf = async (
  { apiKey, publishableKey = apiKey, accessToken, teamId }: Settings,
  options: Request['options'],
  { key, hasBody }: { key: string | undefined; hasBody: boolean },
): Promise<Headers> => {
  const headers = new Headers(options.headers);
  if (hasBody) headers.set('Content-Type', 'application/json');
  if (key !== undefined) headers.set('Idempotency-Key', key);
  if (publishableKey !== undefined) headers.set('X-API-Key', await valueOf(publishableKey));
  if (accessToken !== undefined) headers.set('Authorization', `Bearer ${await valueOf(accessToken)}`);
  const team = options.teamId ?? teamId;
  if (team !== undefined) headers.set('X-Team-ID', String(team));
  return headers;
};

const valueOf = async (credential: Credential): Promise<string> =>
  typeof credential === 'string' ? credential : credential();

/** 128 random bits: browsers have `crypto.randomUUID` on secure pages only. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
