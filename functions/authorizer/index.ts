import { environment } from '../../shared/platform/environment/environment.ts';
import { withIdentity } from '../../shared/platform/environment/identity-environment.ts';
import { readEnv } from '../../shared/platform/environment/env.ts';
import { edgeSecret } from '../../shared/platform/http/caller-address.ts';
import { createTokenVerifier } from '../../shared/platform/identity/index.ts';
import { once } from '../../shared/platform/once.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { log } from '../../shared/platform/metrics/log.ts';
import { authorize, type Authorize } from './authorize.ts';
import { AuthorizerEnv } from './env.ts';

/** Every request waits for the authorizer, and most need no answer of the provider. */
const providerLimits = { timeoutMs: 2000, totalMs: 4000 };

const fromEnvironment = (): Authorize => {
  const { ISSUER, AUDIENCE, JWKS_URI, STAGE, HOST_CLIENT_IDS, HOST_MFA, EDGE_SECRET_ARN } =
    readEnv(AuthorizerEnv);
  const verify = createTokenVerifier({
    issuer: ISSUER,
    audience: AUDIENCE,
    jwksUri: JWKS_URI ?? `${ISSUER}.well-known/jwks.json`,
    allowHttp: STAGE === 'local',
  });
  const edge = edgeSecret(EDGE_SECRET_ARN, { clock: systemClock, log });
  const hosts = { applications: new Set(HOST_CLIENT_IDS.split(',')), mfa: HOST_MFA, audience: AUDIENCE };
  return authorize({ deps: withIdentity(environment, providerLimits)(), verify, stage: STAGE, hosts, edge });
};

const authorizing = once(fromEnvironment);

/** The Lambda REQUEST authorizer of both schemes. */
export const handler: Authorize = (event) => authorizing()(event);
