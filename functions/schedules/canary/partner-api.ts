import * as z from 'zod';

const Refusal = z.object({ code: z.string().optional() });

/** A step of the canary that did not go as it must. */
export class CanaryFailure extends Error {
  readonly step: string;
  /** The error code of the API, if it has answered one. */
  readonly code: string | undefined;

  constructor(
    step: string,
    what: string,
    { code, cause }: { code?: string | undefined; cause?: unknown } = {},
  ) {
    super(`${step}: ${what}`, { cause });
    this.name = 'CanaryFailure';
    this.step = step;
    this.code = code;
  }
}

interface Call {
  method: 'GET' | 'POST';
  /** Below `/api/v1/external/`. */
  path: string;
  body?: object;
}

/** Calls an operation of the External API; throws CanaryFailure unless it is answered 2xx with what the schema reads. */
export type PartnerApi = <Shape extends z.ZodType>(
  step: string,
  shape: Shape,
  call: Call,
) => Promise<z.output<Shape>>;

interface PartnerApiOptions {
  /** The address of the API. */
  url: string;
  key: string;
  /** Ends every request. */
  signal: AbortSignal;
  fetch: typeof fetch;
}

/** Returns the External API as a partner calls it. */
export const partnerApi =
  ({ url, key, signal, fetch: send }: PartnerApiOptions): PartnerApi =>
  async (step, shape, { method, path, body }) => {
    const address = `${url.replace(/\/$/, '')}/api/v1/external/${path}`;
    // A connection that was kept open would be dead after the function has slept.
    const headers = { 'X-API-Key': key, 'User-Agent': 'nightlatch-canary', Connection: 'close' };
    const sent = body && {
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    };
    let status: number;
    let answer: unknown;
    try {
      const response = await send(address, { method, headers, signal, redirect: 'error', ...sent });
      status = response.status;
      answer = jsonOf(await response.text());
    } catch (cause) {
      throw new CanaryFailure(step, 'no answer', { cause });
    }
    const { code } = Refusal.safeParse(answer).data ?? {};
    if (status >= 300) throw new CanaryFailure(step, `${status} ${code ?? 'without a code'}`, { code });
    const read = shape.safeParse(answer);
    if (!read.success) throw new CanaryFailure(step, `an answer of another shape: ${read.error.message}`);
    return read.data;
  };

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
