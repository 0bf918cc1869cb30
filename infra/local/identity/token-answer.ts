import type { Context } from 'oidc-provider';
import { profileClaims, type User } from './users.ts';

/** The resource server of the service's API. */
export type ApiDescription = Record<string, unknown> & { audience: string; scope: string };

interface Issued {
  user: User;
  scope: string;
  /** How the person signed in, where a second factor was given. */
  amr?: string[] | undefined;
}

const issueRefreshToken = async (
  ctx: Context,
  { user, scope, amr }: Issued,
  audience: string,
): Promise<string> => {
  const { provider, client } = ctx.oidc;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: user.subject });
  grant.addOIDCScope(scope);
  grant.addResourceScope(audience, scope);
  const grantId = await grant.save();
  const token = { accountId: user.subject, client, grantId, gty: 'password', scope, resource: audience, amr };
  return new provider.RefreshToken(token).save();
};

const issueIdToken = (ctx: Context, { user, scope }: Issued): Promise<string> => {
  const token = new ctx.oidc.provider.IdToken(profileClaims(user), { ctx });
  return Object.assign(token, { scope, mask: {}, rejected: [] }).issue({ use: 'idtoken' });
};

/** Returns the known ones of the asked scopes. */
export const grantedScope = (asked: string | undefined, api: ApiDescription): string => {
  const known = new Set(api.scope.split(' '));
  return (asked ?? '')
    .split(' ')
    .filter((name) => known.has(name))
    .join(' ');
};

/** Answers a grant of the token endpoint that has no code: with an access token, and what the scope asks for beside it. */
export const answerWithTokens = async (ctx: Context, issued: Issued, api: ApiDescription): Promise<void> => {
  const { provider, client } = ctx.oidc;
  const { user, scope, amr } = issued;
  const granted = scope.split(' ');
  const token = new provider.AccessToken({ accountId: user.subject, client, gty: 'password', scope });
  token.resourceServer = new provider.ResourceServer(api.audience, api);
  if (amr) token.amr = amr;
  ctx.body = {
    access_token: await token.save(),
    ...(granted.includes('openid') && { id_token: await issueIdToken(ctx, issued) }),
    ...(granted.includes('offline_access') && {
      refresh_token: await issueRefreshToken(ctx, issued, api.audience),
    }),
    scope,
    expires_in: api['accessTokenTTL'],
    token_type: 'Bearer',
  };
};
