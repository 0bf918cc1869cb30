import type { AttributeMap } from './read-json.ts';

/** What is known of a request that was answered. */
export interface Metadata {
  httpStatusCode: number;
  requestId: string | undefined;
  attempts?: number;
  /** Milliseconds. */
  totalRetryDelay?: number;
}

/** An error of DynamoDB, with the SDK's name for it. */
export class DynamoDBError extends Error {
  readonly $fault: 'client' | 'server';
  readonly $metadata: Metadata;
  /** What the service asks callers to wait. */
  readonly retryAfterMs: number | undefined;
  /** The request was signed by a wrong clock, which is corrected now. */
  isClockCorrected = false;

  constructor(name: string, message: string, $metadata: Metadata, retryAfterMs?: number) {
    super(message);
    this.name = name;
    this.$metadata = $metadata;
    this.$fault = $metadata.httpStatusCode < 500 ? 'client' : 'server';
    this.retryAfterMs = retryAfterMs;
  }
}

interface CancellationReason {
  Code?: string | undefined;
  Message?: string | undefined;
  Item?: AttributeMap | undefined;
}

/** A condition of a single write does not hold; the item as it is, where it was asked for. */
interface ConditionalCheckFailed extends Error {
  Item?: AttributeMap;
}

/** A transaction did not happen; the reasons in the order of its writes. */
export interface TransactionCanceled extends Error {
  CancellationReasons?: CancellationReason[];
}

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

export const isConditionalCheckFailed = (error: unknown): error is ConditionalCheckFailed =>
  isNamed(error, 'ConditionalCheckFailedException');

export const isTransactionCanceled = (error: unknown): error is TransactionCanceled =>
  isNamed(error, 'TransactionCanceledException');

export const isTransactionConflict = (error: unknown): boolean =>
  isNamed(error, 'TransactionConflictException');
