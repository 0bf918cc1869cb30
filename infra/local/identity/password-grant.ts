import type { Context } from 'oidc-provider';
import type { Login, LoginRefusal } from './login.ts';
import type { SecondFactor } from './second-factor.ts';
import { type ApiDescription, answerWithTokens, grantedScope } from './token-answer.ts';
import { tokenError } from './token-error.ts';
import type { User } from './users.ts';

const refused = (
  ctx: Context,
  { status, error, error_description, retry_after_seconds }: LoginRefusal,
): Error => {
  if (retry_after_seconds !== undefined) ctx.set('retry-after', String(retry_after_seconds));
  return tokenError(status, error, error_description);
};

const attempt = async (ctx: Context, login: Login): Promise<User> => {
  const { username: email = '', password = '' } = ctx.oidc.params;
  if (email === '' || password === '')
    throw tokenError(400, 'invalid_request', 'Missing required parameter: username or password');
  const address = ctx.get('auth0-forwarded-for') || (ctx.req.socket.remoteAddress ?? '');
  const result = await login({ email, password, address });
  if ('user' in result) return result.user;
  throw refused(ctx, result.refusal);
};

interface Grants {
  login: Login;
  secondFactor: SecondFactor;
}

/** Returns the password grant: an access token for e-mail and password, or the token for a code. */
export const createPasswordGrant =
  ({ login, secondFactor }: Grants, api: ApiDescription) =>
  async (ctx: Context): Promise<void> => {
    const { client, params } = ctx.oidc;
    const audience = params['resource'] ?? api.audience;
    if (audience !== api.audience) throw tokenError(403, 'access_denied', `Service not found: ${audience}`);
    const user = await attempt(ctx, login);
    const scope = grantedScope(params['scope'], api);
    if (!secondFactor.isAsked(client.clientId)) return answerWithTokens(ctx, { user, scope }, api);
    ctx.status = 403;
    ctx.body = {
      error: 'mfa_required',
      error_description: 'Multifactor authentication required',
      mfa_token: secondFactor.begin(user, { client_id: client.clientId, scope }),
    };
  };

/** Returns the grant behind `mfa_required`: an access token for the code of an authenticator app. */
export const createOtpGrant =
  ({ secondFactor }: Grants, api: ApiDescription) =>
  async (ctx: Context): Promise<void> => {
    const { mfa_token: mfaToken = '', otp: code = '' } = ctx.oidc.params;
    if (mfaToken === '' || code === '')
      throw tokenError(400, 'invalid_request', 'Missing required parameter: mfa_token or otp');
    const result = secondFactor.check({ mfaToken, clientId: ctx.oidc.client.clientId, code });
    if ('refusal' in result) throw refused(ctx, result.refusal);
    return answerWithTokens(ctx, { ...result, amr: ['pwd', 'mfa'] }, api);
  };
