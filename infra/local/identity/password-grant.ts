import type { Context } from 'oidc-provider';
import type { Login } from './login.ts';
import { tokenError } from './token-error.ts';
import { profileClaims, type User } from './users.ts';

type ApiDescription = Record<string, unknown> & { audience: string; scope: string };

const attempt = async (ctx: Context, login: Login): Promise<User> => {
  const { username: email = '', password = '' } = ctx.oidc.params;
  if (email === '' || password === '')
    throw tokenError(400, 'invalid_request', 'Missing required parameter: username or password');
  const address = ctx.get('auth0-forwarded-for') || (ctx.req.socket.remoteAddress ?? '');
  const result = await login({ email, password, address });
  if ('user' in result) return result.user;
  const { status, error, error_description, retry_after_seconds } = result.refusal;
  if (retry_after_seconds !== undefined) ctx.set('retry-after', String(retry_after_seconds));
  throw tokenError(status, error, error_description);
};

const issueRefreshToken = async (
  ctx: Context,
  user: User,
  scope: string,
  audience: string,
): Promise<string> => {
  const { provider, client } = ctx.oidc;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: user.subject });
  grant.addOIDCScope(scope);
  grant.addResourceScope(audience, scope);
  const grantId = await grant.save();
  const token = { accountId: user.subject, client, grantId, gty: 'password', scope, resource: audience };
  return new provider.RefreshToken(token).save();
};

const issueIdToken = (ctx: Context, user: User, scope: string): Promise<string> => {
  const token = new ctx.oidc.provider.IdToken(profileClaims(user), { ctx });
  return Object.assign(token, { scope, mask: {}, rejected: [] }).issue({ use: 'idtoken' });
};

/** Returns the password grant: an access token for e-mail and password. */
export const createPasswordGrant =
  ({ login, audiences }: { login: Login; audiences: { api: string } }, api: ApiDescription) =>
  async (ctx: Context): Promise<void> => {
    const { provider, client, params } = ctx.oidc;
    const audience = params['resource'] ?? audiences.api;
    if (audience !== audiences.api) throw tokenError(403, 'access_denied', `Service not found: ${audience}`);
    const user = await attempt(ctx, login);
    const known = new Set(api.scope.split(' '));
    const granted = (params['scope'] ?? '').split(' ').filter((name) => known.has(name));
    const scope = granted.join(' ');
    const token = new provider.AccessToken({ accountId: user.subject, client, gty: 'password', scope });
    token.resourceServer = new provider.ResourceServer(audience, api);
    ctx.body = {
      access_token: await token.save(),
      ...(granted.includes('openid') && { id_token: await issueIdToken(ctx, user, scope) }),
      ...(granted.includes('offline_access') && {
        refresh_token: await issueRefreshToken(ctx, user, scope, audience),
      }),
      scope,
      expires_in: api['accessTokenTTL'],
      token_type: 'Bearer',
    };
  };
