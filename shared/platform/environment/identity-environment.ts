import * as z from 'zod';
import { systemClock } from '../time/clock.ts';
import type { Dependencies } from '../context.ts';
import { readEnv } from './env.ts';
import { IdentityEnv } from '../identity/env.ts';
import { createAuth0 } from '../identity/auth0.ts';
import type { IdentityProvider } from '../identity/index.ts';
import { ServiceError } from '../errors.ts';
import { log } from '../metrics/log.ts';
import { once } from '../once.ts';
import { fixedSecret, keptSecret, type Secret, secretReader } from '../secrets/index.ts';

/** Returns what makes the identity provider of given variables, once. */
export const identityFrom = (
  variables: Record<string, string | undefined>,
  limits: TimeLimits = {},
): (() => IdentityProvider) => once(() => providerFrom(variables, limits));

/** Milliseconds of one attempt, and of all together. */
interface TimeLimits {
  timeoutMs?: number;
  totalMs?: number;
}

const providerFrom = (
  variables: Record<string, string | undefined>,
  limits: TimeLimits,
): IdentityProvider => {
  const env = readEnv(IdentityEnv(), variables);
  return createAuth0(
    {
      issuer: env.ISSUER,
      audience: env.AUDIENCE,
      client_id: env.IDP_CLIENT_ID,
      client_secret: clientSecret(env),
      connection: env.IDP_CONNECTION,
      management_audience: env.IDP_MANAGEMENT_AUDIENCE ?? `${env.ISSUER}api/v2/`,
    },
    { clock: systemClock, ...limits },
  );
};

const clientSecret = ({ IDENTITY_SECRET_ARN: arn, IDP_CLIENT_SECRET }: IdentityEnv): Secret<string> => {
  if (arn === undefined) return fixedSecret(IDP_CLIENT_SECRET ?? '');
  const read = secretReader(arn, z.object({ client_secret: z.string().min(1) }));
  const load = async (): Promise<string> => {
    try {
      return (await read()).client_secret;
    } catch (cause) {
      throw new ServiceError(
        'IDENTITY_PROVIDER_UNAVAILABLE',
        undefined,
        {},
        { cause, retryAfterSeconds: 10 },
      );
    }
  };
  return keptSecret(load, { clock: systemClock, log });
};

/** Adds the identity provider to the dependencies of a function that reads or changes accounts. */
export const withIdentity = (environment: () => Dependencies, limits?: TimeLimits): (() => Dependencies) => {
  const identity = identityFrom(process.env, limits);
  return () => ({ ...environment(), identity });
};
