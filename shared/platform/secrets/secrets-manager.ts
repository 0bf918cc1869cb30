import { setTimeout as pause } from 'node:timers/promises';
import type * as z from 'zod';
import { connectTo } from '../aws/connection.ts';
import type { Reply } from '../aws/reply-reader.ts';
import { type CredentialProvider, environmentCredentials, keptCredentials } from '../aws/credentials.ts';
import { type AwsService, type Endpoint, endpointOf } from '../aws/endpoint.ts';
import { requestSigner } from '../aws/sign.ts';
import { machineClock } from '../clock.ts';
import { once } from '../once.ts';

const secretsManager: AwsService = {
  name: 'secretsmanager',
  variable: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  contentType: 'application/x-amz-json-1.1',
};

interface SecretsManagerOptions {
  /** Default: that of the environment. */
  endpoint?: () => Endpoint;
  credentials?: CredentialProvider;
  /** Pauses before the second and the third attempt, in milliseconds. */
  pausesMs?: readonly number[];
  requestTimeout?: number;
}

/** An error of Secrets Manager; its message contains no value of a secret. */
class SecretUnreadable extends Error {
  readonly mayRepeat: boolean;

  constructor(arn: string, reason: string, mayRepeat = false) {
    super(`The secret ${arn} cannot be read: ${reason}`);
    this.name = 'SecretUnreadable';
    this.mayRepeat = mayRepeat;
  }
}

/**
 * Returns a function that reads a secret, a JSON object of the given shape. The SDK's client for this one request would be
 * 160 KB of a bundle.
 */
export const secretReader = <Shape extends z.ZodType>(
  arn: string,
  shape: Shape,
  options: SecretsManagerOptions = {},
): (() => Promise<z.output<Shape>>) => {
  const { pausesMs = [100, 400], requestTimeout = 2000 } = options;
  const credentials = keptCredentials(options.credentials ?? environmentCredentials);
  const sign = requestSigner(secretsManager);
  const connect = once(() => {
    const { url, region } = (options.endpoint ?? (() => endpointOf(secretsManager)))();
    const post = connectTo(url, { requestTimeout, connectionTimeout: 1000 }, 'Secrets Manager');
    return { url, region, post };
  });
  const body = JSON.stringify({ SecretId: arn });
  const attempt = async (): Promise<z.output<Shape>> => {
    const { url, region, post } = connect();
    const headers = sign({
      host: url.host,
      path: url.pathname,
      region,
      target: 'secretsmanager.GetSecretValue',
      body,
      credentials: await credentials(),
      now: machineClock.now(),
    });
    return valueIn(arn, shape, await post({ headers, body }));
  };
  return async () => {
    for (let tries = 0; ; tries++) {
      try {
        return await attempt();
      } catch (error) {
        const wait = pausesMs[tries];
        if (wait === undefined || (error instanceof SecretUnreadable && !error.mayRepeat)) throw error;
        await pause(wait);
      }
    }
  };
};

/** Returns an object, empty if there is none. The error of JSON.parse would contain a part of the text. */
const objectIn = (text: unknown): Record<string, unknown> => {
  try {
    return Object(JSON.parse(String(text))) as Record<string, unknown>;
  } catch {
    return {};
  }
};

const valueIn = <Shape extends z.ZodType>(
  arn: string,
  shape: Shape,
  { status, text }: Reply,
): z.output<Shape> => {
  const { SecretString, __type, Message, message = Message } = objectIn(text);
  if (status >= 300) {
    const mayRepeat = status >= 500 || status === 429 || String(__type).includes('Throttling');
    throw new SecretUnreadable(arn, [status, __type, message].join(' '), mayRepeat);
  }
  const value = shape.safeParse(objectIn(SecretString));
  if (value.success) return value.data;
  const wrong = value.error.issues.map(({ path, message: problem }) => `${path.join('.')}: ${problem}`);
  throw new SecretUnreadable(arn, `its JSON has ${wrong.join('; ')}`);
};
