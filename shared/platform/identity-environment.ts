import { systemClock } from './clock.ts';
import type { Dependencies } from './context.ts';
import { IdentityEnv, readEnv } from './env.ts';
import { createAuth0 } from './identity/auth0.ts';
import type { IdentityProvider } from './identity/index.ts';
import { once } from './once.ts';

/** Returns what makes the identity provider of given variables, once. */
export const identityFrom = (variables: Record<string, string | undefined>): (() => IdentityProvider) =>
  once(() => providerFrom(variables));

const providerFrom = (variables: Record<string, string | undefined>): IdentityProvider => {
  const env = readEnv(IdentityEnv, variables);
  return createAuth0(
    {
      issuer: env.ISSUER,
      audience: env.AUDIENCE,
      client_id: env.IDP_CLIENT_ID,
      client_secret: env.IDP_CLIENT_SECRET,
      connection: env.IDP_CONNECTION,
      management_audience: env.IDP_MANAGEMENT_AUDIENCE ?? `${env.ISSUER}api/v2/`,
    },
    { clock: systemClock },
  );
};

const identity = identityFrom(process.env);

/** Adds the identity provider to the dependencies of a function that reads or changes accounts. */
export const withIdentity = (environment: () => Dependencies) => (): Dependencies => ({
  ...environment(),
  identity,
});
