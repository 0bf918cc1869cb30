import type { DatabaseSync } from 'node:sqlite';
import Provider, {
  type AccessToken,
  type Client,
  type Context,
  interactionPolicy,
  type StructuredToken,
} from 'oidc-provider';
import { createArtifactAdapter } from './artifacts.ts';
import { readCookieSecret, type SigningKey } from './database.ts';
import { logoutPage, messagePage } from './pages.ts';
import type { Login } from './login.ts';
import { createOtpGrant, createPasswordGrant } from './password-grant.ts';
import type { SecondFactor } from './second-factor.ts';
import { tokenError } from './token-error.ts';
import { profileClaims, type UserStore } from './users.ts';

export interface Audiences {
  /** The audience of the service's API. */
  api: string;
  /** /api/v2 of this provider. */
  management: string;
  userinfo: string;
}

/** An application; one without a secret is public and has the code flow alone, with PKCE. */
export interface LocalApplication {
  client_id: string;
  client_secret?: string;
}

interface OidcSettings {
  issuer: string;
  audiences: Audiences;
  clients: readonly LocalApplication[];
  database: DatabaseSync;
  signingKey: SigningKey;
  users: UserStore;
  login: Login;
  secondFactor: SecondFactor;
}

const lifeSeconds = 86_400;
const scopes = 'openid profile email offline_access';

const isLoopback = (uri: string): boolean => {
  const url = URL.parse(uri);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname) &&
    url.hash === ''
  );
};

const resourceServer = (audience: string, scope: string) => ({
  audience,
  scope,
  accessTokenTTL: lifeSeconds,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'RS256' } },
});

/** Returns the resource server of a token. Customers receive none for the Management API, machines none for the service. */
const describeResource = ({ api, management }: Audiences) => {
  return async (ctx: Context, resource: string) => {
    const isMachine = ctx.oidc.params['grant_type'] === 'client_credentials';
    if (resource === (isMachine ? management : api)) return resourceServer(resource, isMachine ? '' : scopes);
    if (resource !== api && resource !== management)
      throw tokenError(403, 'access_denied', `Service not found: ${resource}`);
    throw tokenError(403, 'access_denied', `Client is not authorized to access "${resource}".`);
  };
};

/**
 * Adds the claims of Auth0 that oidc-provider does not have, and that of the actions in docs/operate.md: Auth0 reserves `amr` in
 * access tokens.
 */
const auth0Claims =
  ({ api, userinfo }: Audiences) =>
  (ctx: Context, token: AccessToken, { payload }: StructuredToken): void => {
    const { AuthorizationCode, RefreshToken } = ctx.oidc.entities;
    const methods = token.amr ?? AuthorizationCode?.amr ?? RefreshToken?.amr;
    if (methods?.includes('mfa')) payload[`${api}/amr`] = ['mfa'];
    const isMachine = token.kind === 'ClientCredentials';
    payload['azp'] = token.clientId;
    if (isMachine) payload['sub'] = `${token.clientId}@clients`;
    if (isMachine) payload['gty'] = 'client-credentials';
    else if (token.gty === 'password') payload['gty'] = 'password';
    if ((token.scope || '').split(' ').includes('openid')) payload['aud'] = [payload['aud'], userinfo];
  };

const html = (ctx: Context, text: string) => {
  ctx.type = 'html';
  ctx.body = text;
};

const features = (settings: OidcSettings) => ({
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  clientCredentials: { enabled: true },
  resourceIndicators: {
    enabled: true,
    defaultResource: async () => settings.audiences.api,
    useGrantedResource: async () => true,
    getResourceServerInfo: describeResource(settings.audiences),
  },
  rpInitiatedLogout: {
    enabled: true,
    logoutSource: async (ctx: Context, form: string) => html(ctx, logoutPage(form)),
    postLogoutSuccessSource: async (ctx: Context) =>
      html(ctx, messagePage('Logged out', 'You are logged out. You may close this page.')),
  },
});

const accounts = (users: UserStore) => ({
  claims: { openid: ['sub'], profile: ['name', 'updated_at'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: false,
  findAccount: async (_ctx: Context, subject: string) => {
    const user = users.find(subject);
    if (!user || user.blocked) return undefined;
    return { accountId: subject, claims: async () => profileClaims(user) };
  },
});

/** Grants every scope without a consent page: the service has the only client. */
const grantEverything = (api: string) => async (ctx: Context) => {
  const accountId = ctx.oidc.session.accountId ?? '';
  const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client.clientId, accountId });
  grant.addOIDCScope(scopes);
  grant.addResourceScope(api, scopes);
  await grant.save();
  return grant;
};

/** Asks anew where an application needs a second factor, and the session has none. */
const policy = (secondFactor: SecondFactor) => {
  const prompts = interactionPolicy.base();
  const needsFactor = ({ oidc: { client, session } }: Context) =>
    secondFactor.isAsked(client.clientId) && session.amr?.includes('mfa') !== true;
  prompts
    .get('login')
    .checks.add(new interactionPolicy.Check('no_second_factor', 'A second factor is required', needsFactor));
  return prompts;
};

const otpGrant = 'http://auth0.com/oauth/grant-type/mfa-otp';

const clientMetadata = (client: LocalApplication) => ({
  ...client,
  redirect_uris: ['https://localhost/callback'],
  response_types: ['code'],
  ...(client.client_secret === undefined
    ? { grant_types: ['authorization_code'], token_endpoint_auth_method: 'none' }
    : {
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'password', otpGrant],
        token_endpoint_auth_method: 'client_secret_post',
      }),
});

const routes = {
  authorization: '/authorize',
  token: '/oauth/token',
  jwks: '/.well-known/jwks.json',
  userinfo: '/userinfo',
  end_session: '/logout',
};

const ttl = {
  AccessToken: lifeSeconds,
  ClientCredentials: lifeSeconds,
  AuthorizationCode: 600,
  IdToken: 36_000,
  Interaction: 3600,
  Session: 7 * lifeSeconds,
  Grant: 30 * lifeSeconds,
  RefreshToken: 30 * lifeSeconds,
};

const configuration = (settings: OidcSettings): Record<string, unknown> => ({
  adapter: createArtifactAdapter(settings.database),
  clients: settings.clients.map(clientMetadata),
  clientBasedCORS: () => true,
  cookies: { keys: [readCookieSecret(settings.database)] },
  jwks: { keys: [settings.signingKey] },
  routes,
  ttl,
  scopes: scopes.split(' '),
  responseTypes: ['code'],
  extraParams: ['connection', 'screen_hint'],
  pkce: { required: (_ctx: Context, { clientSecret }: Client) => clientSecret === undefined },
  features: features(settings),
  formats: { customizers: { jwt: auth0Claims(settings.audiences) } },
  loadExistingGrant: grantEverything(settings.audiences.api),
  interactions: {
    policy: policy(settings.secondFactor),
    url: async (_ctx: Context, { uid }: { uid: string }) => `/u/login/${uid}`,
  },
  renderError: async (ctx: Context, out: { error: string; error_description?: string }) =>
    html(ctx, messagePage('This did not work', `${out.error}: ${out.error_description ?? ''}`)),
  ...accounts(settings.users),
});

/** Returns the OpenID provider: authorize, token, keys, discovery, logout. */
export const createOidc = (settings: OidcSettings): Provider => {
  const provider = new Provider(settings.issuer, configuration(settings));
  provider.Client.prototype.redirectUriAllowed = isLoopback;
  provider.Client.prototype.postLogoutRedirectUriAllowed = isLoopback;
  const api = resourceServer(settings.audiences.api, scopes);
  const fields = ['username', 'password', 'scope', 'resource'];
  provider.registerGrantType('password', createPasswordGrant(settings, api), fields);
  provider.registerGrantType(otpGrant, createOtpGrant(settings, api), ['mfa_token', 'otp']);
  provider.on('server_error', (_ctx, error) => process.emitWarning(error));
  return provider;
};
