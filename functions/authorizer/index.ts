import { environment } from '../../shared/platform/environment.ts';
import { withIdentity } from '../../shared/platform/identity-environment.ts';
import { readEnv } from '../../shared/platform/env.ts';
import { createTokenVerifier } from '../../shared/platform/identity/index.ts';
import { once } from '../../shared/platform/once.ts';
import { authorize, type Authorize } from './authorize.ts';
import { AuthorizerEnv } from './env.ts';

const fromEnvironment = (): Authorize => {
  const { ISSUER, AUDIENCE, JWKS_URI, STAGE } = readEnv(AuthorizerEnv);
  const verify = createTokenVerifier({
    issuer: ISSUER,
    audience: AUDIENCE,
    jwksUri: JWKS_URI ?? `${ISSUER}.well-known/jwks.json`,
    allowHttp: STAGE === 'local',
  });
  return authorize({ deps: withIdentity(environment)(), verify, stage: STAGE });
};

const authorizing = once(fromEnvironment);

/** The Lambda REQUEST authorizer of both schemes. */
export const handler: Authorize = (event) => authorizing()(event);
