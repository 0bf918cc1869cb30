import { setTimeout as pause } from 'node:timers/promises';
import { machineClock } from '../time/clock.ts';
import { once } from '../once.ts';
import { connectTo } from './connection.ts';
import { type CredentialProvider, environmentCredentials, keptCredentials } from './credentials.ts';
import { type AwsService, type Endpoint, endpointOf } from './endpoint.ts';
import { requestSigner } from './sign.ts';

export interface JsonRequestOptions {
  /** Default: that of the environment. */
  endpoint?: () => Endpoint | Promise<Endpoint>;
  credentials?: CredentialProvider;
  /** Pauses before the second and the third attempt, in milliseconds. */
  pausesMs?: readonly number[];
  requestTimeout?: number;
}

/** What a service has answered instead of a result: status, type and message, which contain no secret. */
export class AwsRefusal extends Error {
  readonly type: string;
  readonly mayRepeat: boolean;

  constructor(status: number, { __type, Message, message = Message }: Record<string, unknown>) {
    super([status, __type, message].join(' '));
    this.name = 'AwsRefusal';
    this.type = String(__type);
    this.mayRepeat = status >= 500 || status === 429 || this.type.includes('Throttling');
  }
}

/**
 * Returns a function that sends an operation to a service with a JSON protocol, three times at most. The SDK's clients are 150 KB
 * of a bundle each. Throws {@link AwsRefusal}, or the error of the connection.
 */
export const jsonRequest = (service: AwsService, meaning: string, options: JsonRequestOptions = {}) => {
  const { pausesMs = [100, 400], requestTimeout = 2000 } = options;
  const credentials = keptCredentials(options.credentials ?? environmentCredentials);
  const sign = requestSigner(service);
  const connect = once(async () => {
    const { url, region } = await (options.endpoint ?? (() => endpointOf(service)))();
    return { url, region, post: connectTo(url, { requestTimeout, connectionTimeout: 1000 }, meaning) };
  });
  const attempt = async (target: string, body: string): Promise<Record<string, unknown>> => {
    const { url, region, post } = await connect();
    const headers = sign({
      host: url.host,
      path: url.pathname,
      region,
      target,
      body,
      credentials: await credentials(),
      now: machineClock.now(),
    });
    const { status, text } = await post({ headers, body });
    if (status >= 300) throw new AwsRefusal(status, objectIn(text));
    return objectIn(text);
  };
  return async (target: string, input: object): Promise<Record<string, unknown>> => {
    const body = JSON.stringify(input);
    for (let tries = 0; ; tries++) {
      try {
        return await attempt(target, body);
      } catch (error) {
        const wait = pausesMs[tries];
        if (wait === undefined || (error instanceof AwsRefusal && !error.mayRepeat)) throw error;
        await pause(wait);
      }
    }
  };
};

/** Returns an object, empty if there is none. The error of JSON.parse would contain a part of the text. */
export const objectIn = (text: unknown): Record<string, unknown> => {
  try {
    return Object(JSON.parse(String(text))) as Record<string, unknown>;
  } catch {
    return {};
  }
};
