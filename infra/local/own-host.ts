import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../shared/platform/errors.ts';
import { readLocalEnv } from './settings.ts';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * Returns the error for a request whose `Host` is no name of this machine: a page of another site could otherwise have its own
 * name lead here (DNS rebinding) and read every answer.
 */
export const foreignHost = ({ headers }: IncomingMessage): ServiceError | undefined => {
  const host = headers.host?.toLowerCase() ?? '';
  if (loopback.test(host) || readLocalEnv().LOCAL_HOSTS.includes(host.replace(/:\d+$/, ''))) return undefined;
  return new ServiceError(
    'FORBIDDEN',
    'On a laptop the service answers to localhost, 127.0.0.1, [::1] and the hosts of LOCAL_HOSTS.',
  );
};
