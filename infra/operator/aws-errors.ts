import { type ErrorCode, ServiceError } from '../../shared/platform/errors.ts';
import type { Workplace } from './command.ts';

interface Cause {
  name: string;
  code: string;
  message: string;
}

const noCredentials = ['CredentialsProviderError', 'TokenProviderError'];
const badCredentials = [
  'ExpiredTokenException',
  'ExpiredToken',
  'RequestExpired',
  'UnrecognizedClientException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'IncompleteSignature',
  'MissingAuthenticationToken',
];
const forbidden = ['AccessDeniedException', 'AccessDenied'];
const unreachable = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ETIMEDOUT'];

/**
 * What AWS, the machine's settings or a service that does not run refuse, in the operator's terms, with what was looked for
 * and where (D72); anything else passes as it is.
 */
export const explained = async (thrown: unknown, { stage, whereabouts }: Workplace): Promise<unknown> => {
  const known = meaningOf(causeOf(thrown), stage);
  if (!known) return thrown;
  const message = `${known.message} Looked for ${await whereabouts()}.`;
  return new ServiceError(known.code, message, {}, { cause: thrown });
};

const meaningOf = (
  { name, code, message }: Cause,
  stage: string,
): { code: ErrorCode; message: string } | undefined => {
  if (message === 'Region is missing')
    return {
      code: 'VALIDATION_ERROR',
      message: 'There is no AWS region: set AWS_REGION and credentials, or AWS_PROFILE.',
    };
  if (name === 'ResourceNotFoundException')
    return { code: 'NOT_FOUND', message: `Stage "${stage}" was not found.` };
  if (name === 'QueueDoesNotExist')
    return { code: 'NOT_FOUND', message: `Stage "${stage}" was not found, or has no such queue.` };
  if (noCredentials.includes(name))
    return {
      code: 'UNAUTHORIZED',
      message: `There are no AWS credentials (${message}): sign in, or set AWS_PROFILE.`,
    };
  if (badCredentials.includes(name))
    return { code: 'UNAUTHORIZED', message: `AWS refuses the credentials (${message}).` };
  if (forbidden.includes(name)) return { code: 'FORBIDDEN', message: `AWS does not allow it: ${message}.` };
  if (unreachable.includes(code) || name === 'TimeoutError')
    return { code: 'SERVICE_UNAVAILABLE', message: `Nothing answers (${message || code}).` };
  return undefined;
};

/** The table tells its callers less than it knows. */
const causeOf = (thrown: unknown): Cause => {
  const error: unknown = thrown instanceof ServiceError && thrown.cause ? thrown.cause : thrown;
  const { name = '', code = '', message = '' } = error as Partial<Cause>;
  return { name, code, message };
};
