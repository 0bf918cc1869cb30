import {
  type CancellationReason,
  ConditionalCheckFailedException,
  IdempotentParameterMismatchException,
  ProvisionedThroughputExceededException,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { ValidationError } from './expression-tokens.ts';

const $metadata = { httpStatusCode: 400 };

/** Returns the error of a write of one item. */
export const writeError = ({ Code, Message = '', Item }: CancellationReason): Error =>
  Code === 'ConditionalCheckFailed'
    ? new ConditionalCheckFailedException({ $metadata, message: Message, ...(Item ? { Item } : {}) })
    : new ValidationError(Message);

export const conflictError = (): Error =>
  new TransactionConflictException({ $metadata, message: 'Transaction is ongoing for the item' });

export const cancelledError = (CancellationReasons: CancellationReason[]): Error =>
  new TransactionCanceledException({
    $metadata,
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${CancellationReasons.map(({ Code }) => Code).join(', ')}]`,
    CancellationReasons,
  });

export const conflictReason: CancellationReason = {
  Code: 'TransactionConflict',
  Message: 'Transaction is ongoing for the item',
};

const throughput =
  'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly.';

export const throttledReason: CancellationReason = { Code: 'ThrottlingError', Message: throughput };

/** Returns the error of a throttled request: both are documented for tables on demand. */
export const throttledError = (isProvisioned: boolean): Error =>
  isProvisioned
    ? new ProvisionedThroughputExceededException({ $metadata, message: throughput })
    : new ThrottlingException({ $metadata, message: throughput });

export const inProgressError = (): Error =>
  new TransactionInProgressException({
    $metadata,
    Message: 'The transaction with the given request token is already in progress.',
    message: 'The transaction with the given request token is already in progress.',
  });

export const mismatchError = (): Error =>
  new IdempotentParameterMismatchException({
    $metadata,
    message: 'Request parameters do not match those of the earlier request with this token.',
  });
