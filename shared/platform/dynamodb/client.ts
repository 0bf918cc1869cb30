import { setTimeout as pause } from 'node:timers/promises';
import { machineClock } from '../time/clock.ts';
import { once } from '../once.ts';
import type { Command } from './commands.ts';
import { connectTo, type RequestLimits } from '../aws/connection.ts';
import { header, type Reply } from '../aws/reply-reader.ts';
import { type CredentialProvider, environmentCredentials, keptCredentials } from '../aws/credentials.ts';
import { type AwsService, type Endpoint, endpointOf } from '../aws/endpoint.ts';
import { DynamoDBError } from './errors.ts';
import { type AnyOutput, outputOf } from './reply.ts';
import { RetryQuota, retryableOf, retryDelayMs } from './retries.ts';
import { requestSigner } from '../aws/sign.ts';
import { writeInput } from './write-json.ts';

export interface DynamoDBConfig extends RequestLimits {
  /** The attempts of a request in all. */
  maxAttempts: number;
  /** Default: that of the environment. */
  endpoint?: (() => Endpoint | Promise<Endpoint>) | undefined;
  /** Default: those of the environment. */
  credentials?: CredentialProvider | undefined;
}

interface SendOptions {
  abortSignal?: AbortSignal;
}

export const dynamodb: AwsService = {
  name: 'dynamodb',
  variable: 'AWS_ENDPOINT_URL_DYNAMODB',
  contentType: 'application/x-amz-json-1.0',
};

/** DynamoDB rejects a signature of another time. With a clock that was this wrong the request is worth another attempt. */
const correctedMs = 4 * 60_000;
const clockErrors = new Set([
  'InvalidSignatureException',
  'RequestExpired',
  'RequestInTheFuture',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
]);

/**
 * A client of DynamoDB for the requests of {@link Table}: signed, over kept connections, repeated by the SDKs' standard rules.
 * Its commands, outputs and the names of its errors are those of the SDK's document client, which a test compares it with.
 */
export class DynamoDB {
  readonly config: DynamoDBConfig;
  readonly #connect: () => Promise<{ endpoint: Endpoint; post: ReturnType<typeof connectTo> }>;
  readonly #credentials: CredentialProvider;
  readonly #quota = new RetryQuota();
  readonly #sign = requestSigner(dynamodb);
  /** How far the service's clock is ahead. */
  #aheadMs = 0;

  constructor(config: DynamoDBConfig) {
    this.config = config;
    this.#credentials = keptCredentials(config.credentials ?? environmentCredentials);
    this.#connect = once(async () => {
      const endpoint = await (config.endpoint ?? (() => endpointOf(dynamodb)))();
      return { endpoint, post: connectTo(endpoint.url, config, 'DynamoDB') };
    });
  }

  async send<Output extends object>(
    command: Command<object, Output>,
    { abortSignal: signal }: SendOptions = {},
  ): Promise<Output> {
    const target = `DynamoDB_20120810.${command.operation}`;
    const body = writeInput(command.input);
    let cost: number | undefined;
    let totalRetryDelay = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        const output = await this.#attempt(target, body, signal);
        this.#quota.give(cost);
        Object.assign(output.$metadata, { attempts: attempt, totalRetryDelay });
        return output as Output;
      } catch (error) {
        if (error instanceof DynamoDBError)
          Object.assign(error.$metadata, { attempts: attempt, totalRetryDelay });
        const kind = attempt < this.config.maxAttempts ? retryableOf(error) : undefined;
        cost = kind && this.#quota.take(kind);
        if (!kind || cost === undefined) throw error;
        const delay = retryDelayMs(kind, attempt, error);
        totalRetryDelay += delay;
        await pause(delay, undefined, signal && { signal });
      }
    }
  }

  async #attempt(target: string, body: string, signal: AbortSignal | undefined): Promise<AnyOutput> {
    const [{ endpoint, post }, credentials] = await Promise.all([this.#connect(), this.#credentials()]);
    const { url, region } = endpoint;
    const aheadMs = this.#aheadMs;
    const now = machineClock.now() + aheadMs;
    const headers = this.#sign({
      host: url.host,
      path: url.pathname,
      region,
      target,
      body,
      credentials,
      now,
    });
    const reply = await post({ headers, body, signal });
    this.#compareClocks(reply);
    try {
      return outputOf(reply);
    } catch (error) {
      if (error instanceof DynamoDBError && clockErrors.has(error.name))
        error.isClockCorrected = Math.abs(this.#aheadMs - aheadMs) >= correctedMs;
      throw error;
    }
  }

  /** A reply from a cache, with an age, says nothing of the service's clock. */
  #compareClocks(reply: Reply): void {
    const theirs = Date.parse(header(reply, 'date') ?? '');
    if (!Number.isNaN(theirs) && header(reply, 'age') === undefined)
      this.#aheadMs = theirs - machineClock.now();
  }
}

/** What {@link Table} needs of a client. */
export type Sender = Pick<DynamoDB, 'send'>;
