import { isTransactionCanceled } from '../dynamodb/index.ts';
import { ServiceError } from '../errors.ts';
import { recordMetric } from '../metrics/index.ts';

const busyNames = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'InternalServerError',
  'ServiceUnavailable',
  'TransactionInProgressException',
  'TimeoutError',
  'AbortError',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
]);

/** Converts temporary errors of the table to SERVICE_UNAVAILABLE; returns any other error unchanged. */
export const toServiceError = (error: unknown): unknown => {
  if (!(error instanceof Error) || isTransactionCanceled(error)) return error;
  const code = (error as { code?: unknown }).code;
  if (busyNames.has(error.name) || (typeof code === 'string' && busyNames.has(code))) {
    if (error.name !== 'AbortError') recordMetric('table_refusals', 1);
    return new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 1, cause: error });
  }
  return error;
};
