import { type ErrorCode, ServiceError } from '../../shared/platform/errors.ts';
import type { CommandContext } from './command.ts';

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
 * Returns errors of AWS, of credentials and of connections with a message for operators that names the target (D72); any other
 * error unchanged.
 */
export const explainError = async (thrown: unknown, { stage, target }: CommandContext): Promise<unknown> => {
  const known = meaningOf(causeOf(thrown), stage);
  if (!known) return thrown;
  const message = `${known.message} Looked for ${await target()}.`;
  return new ServiceError(known.code, message, {}, { cause: thrown });
};

const meaningOf = (
  { name, code, message }: Cause,
  stage: string,
): { code: ErrorCode; message: string } | undefined => {
  if (message === 'Region is missing')
    return {
      code: 'VALIDATION_ERROR',
      message: 'No AWS region is set: set AWS_REGION and credentials, or AWS_PROFILE.',
    };
  if (name === 'ResourceNotFoundException')
    return { code: 'NOT_FOUND', message: `Stage "${stage}" was not found.` };
  if (name === 'QueueDoesNotExist')
    return { code: 'NOT_FOUND', message: `Stage "${stage}" was not found, or has no such queue.` };
  if (noCredentials.includes(name))
    return {
      code: 'UNAUTHORIZED',
      message: `No AWS credentials were found (${message}): sign in, or set AWS_PROFILE.`,
    };
  if (badCredentials.includes(name))
    return { code: 'UNAUTHORIZED', message: `AWS refuses the credentials (${message}).` };
  if (forbidden.includes(name)) return { code: 'FORBIDDEN', message: `AWS denied access: ${message}.` };
  if (unreachable.includes(code) || name === 'TimeoutError')
    return { code: 'SERVICE_UNAVAILABLE', message: `No response (${message || code}).` };
  return undefined;
};

/** The table hides the cause of its errors from callers. */
const causeOf = (thrown: unknown): Cause => {
  const error: unknown = thrown instanceof ServiceError && thrown.cause ? thrown.cause : thrown;
  const { name = '', code = '', message = '' } = error as Partial<Cause>;
  return { name, code, message };
};
