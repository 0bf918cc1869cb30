import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import { listenOnLoopback } from '../loopback.ts';
import { foreignHost } from '../own-host.ts';
import { createBearerReader } from './bearer.ts';
import { openDatabase, readSigningKey } from './database.ts';
import {
  type Exchange,
  Refusal,
  readFields,
  recordField,
  redirect,
  sendJson,
  sendText,
  textField,
} from './http.ts';
import { createLogin } from './login.ts';
import { handleManagement, type ManagementSettings } from './management.ts';
import { handleMfa } from './mfa-routes.ts';
import { handleAuthorize, handleToken } from './oauth-routes.ts';
import { type Audiences, createOidc, type LocalApplication } from './oidc.ts';
import {
  handleForgotten,
  handleLogin,
  handleNewPassword,
  handleSignUp,
  handleVerify,
  type PageSettings,
} from './page-routes.ts';
import { createPasswordReset } from './password-reset.ts';
import { createSecondFactor } from './second-factor.ts';
import { createSignUp } from './sign-up.ts';
import { createUserStore, type NewUser, profileClaims, type User, type UserStore } from './users.ts';
import type { SendMail } from './mailed-links.ts';
import { createVerification } from './verification.ts';

export { type Mail } from './mailed-links.ts';
export { type NewUser } from './users.ts';

export interface IdentityProviderSettings {
  /** 0 selects a free port. */
  port: number;
  /** The directory of users and keys; default in memory. */
  dataDir?: string | undefined;
  clock: Clock;
  /** Applications; one without a secret is public. */
  clients: readonly LocalApplication[];
  /** The audience of access tokens, an absolute URI. */
  audience: string;
  sendMail: SendMail;
  /** Client ids of the applications that ask for a second factor; default none. */
  secondFactorFor?: readonly string[];
  /** If false, tokens are issued before the e-mail is verified (D75). */
  blockUnverified?: boolean;
  /** Key and certificate in PEM; without them it speaks HTTP. */
  tls?: { key: string; cert: string };
}

export interface RunningIdentityProvider {
  /** Without a trailing slash; the issuer has one. */
  url: string;
  issuer: string;
  port: number;
  jwksUri: string;
  connection: string;
  managementAudience: string;
  createUser(input: NewUser): Promise<User>;
  findUserByEmail(email: string): User | undefined;
  stop(): Promise<void>;
}

/** Auth0's default connection name. */
const connection = 'Username-Password-Authentication';

interface Parts extends PageSettings {
  management: ManagementSettings;
  users: UserStore;
  audiences: Audiences;
  readBearer: ReturnType<typeof createBearerReader>;
}

const handleSignUpCall = async ({ signUp }: Parts, { req, res }: Exchange): Promise<unknown> => {
  const fields = await readFields(req);
  const metadata = recordField(fields, 'user_metadata');
  const result = await signUp({
    email: textField(fields, 'email'),
    password: textField(fields, 'password'),
    full_name: textField(metadata, 'full_name') || textField(fields, 'name') || undefined,
    phone: textField(metadata, 'phone') || undefined,
  });
  if ('refusal' in result) return sendJson(res, result.refusal.statusCode, result.refusal);
  const { subject, email, email_verified } = result.user;
  return sendJson(res, 200, {
    _id: subject.replace(/^auth0\|/, ''),
    email,
    email_verified,
    user_metadata: metadata,
  });
};

/** The response is the same with and without an account, as at Auth0. */
const handleChangePassword = async ({ passwordReset }: Parts, { req, res }: Exchange): Promise<unknown> => {
  const fields = await readFields(req);
  const email = textField(fields, 'email');
  if (email === '') return sendJson(res, 400, { error: 'email is required' });
  if (textField(fields, 'connection') !== connection)
    return sendJson(res, 400, { error: 'connection is required' });
  await passwordReset.sendLink(email);
  return sendText(res, 200, "We've just sent you an email to reset your password.");
};

const handleUserinfo = ({ readBearer, audiences, users }: Parts, { req, res }: Exchange): ServerResponse => {
  const claims = readBearer(req, audiences.userinfo);
  const user = users.find(claims?.sub ?? '');
  if (user) return sendJson(res, 200, profileClaims(user));
  const body = {
    error: 'invalid_token',
    error_description: 'The access token is missing, expired or for another use.',
  };
  return sendJson(res, 401, body, { 'www-authenticate': 'Bearer error="invalid_token"' });
};

const route = async (parts: Parts, exchange: Exchange): Promise<unknown> => {
  const { req, res, url } = exchange;
  const { pathname } = url;
  const isPost = req.method === 'POST';
  if (pathname === '/oauth/token' && isPost) return handleToken(parts.provider, exchange);
  if (pathname === '/authorize' && req.method === 'GET') return handleAuthorize(parts.provider, exchange);
  if (pathname === '/dbconnections/signup' && isPost) return handleSignUpCall(parts, exchange);
  if (pathname === '/dbconnections/change_password' && isPost) return handleChangePassword(parts, exchange);
  if (pathname === '/userinfo' && req.method !== 'OPTIONS') return handleUserinfo(parts, exchange);
  if (pathname.startsWith('/api/v2/')) return handleManagement(parts.management, exchange);
  if (pathname.startsWith('/mfa/')) return handleMfa(parts.secondFactor, exchange);
  if (pathname.startsWith('/u/login/')) return handleLogin(parts, exchange);
  if (pathname === '/u/signup') return handleSignUp(parts, exchange);
  if (pathname === '/u/forgotten-password') return handleForgotten(parts, exchange);
  if (pathname === '/u/reset-password') return handleNewPassword(parts, exchange);
  if (pathname === '/verify') return handleVerify(parts, exchange);
  if (pathname === '/v2/logout') return redirect(res, '/logout');
  return parts.provider.callback()(req, res);
};

const fail = (res: ServerResponse, error: unknown): ServerResponse => {
  if (error instanceof Refusal) return sendJson(res, error.status, error.body);
  process.emitWarning(error instanceof Error ? error : String(error));
  if (res.headersSent) return res.destroy();
  return sendJson(res, 500, { error: 'server_error', error_description: 'The identity provider failed.' });
};

const assemble = (settings: IdentityProviderSettings, baseUrl: string) => {
  const { clock, clients, sendMail, dataDir, blockUnverified = true, secondFactorFor = [] } = settings;
  const issuer = `${baseUrl}/`;
  const audiences = { api: settings.audience, management: `${issuer}api/v2/`, userinfo: `${issuer}userinfo` };
  const database = openDatabase(dataDir);
  const signingKey = readSigningKey(database, dataDir !== undefined);
  const users = createUserStore(database, clock);
  const mailing = { database, users, clock, baseUrl, sendMail };
  const verification = createVerification(mailing);
  const passwordReset = createPasswordReset(mailing);
  const login = createLogin({ users, clock, blockUnverified });
  const secondFactor = createSecondFactor({ users, clock, applications: secondFactorFor });
  const provider = createOidc({
    ...{ issuer, audiences, clients, database, signingKey, users, login, secondFactor },
  });
  const readBearer = createBearerReader(issuer, signingKey);
  const isManager = (req: IncomingMessage) => readBearer(req, audiences.management) !== undefined;
  const management = { users, verification, clock, connection, isManager };
  const signUp = createSignUp(users, verification);
  const pages = { provider, login, secondFactor, signUp, verification, passwordReset };
  const parts: Parts = { ...pages, management, users, audiences, readBearer };
  return { parts, database };
};

/** Starts an identity provider with Auth0's API (D11), on loopback. */
export const startIdentityProvider = async (
  settings: IdentityProviderSettings,
): Promise<RunningIdentityProvider> => {
  if (!URL.canParse(settings.audience)) throw new Error('The audience has to be an absolute URI.');
  let listener: RequestListener = (_req, res) => void res.writeHead(503).end();
  await using stack = new AsyncDisposableStack();
  const answer: RequestListener = (req, res) => listener(req, res);
  const { tls } = settings;
  const { port, stop } = await listenOnLoopback(
    tls ? createSecureServer(tls, answer) : createServer(answer),
    settings.port,
  );
  stack.defer(stop);
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  const { parts, database } = assemble(settings, url);
  const { users, audiences } = parts;
  listener = (req, res) => {
    const foreign = foreignHost(req);
    if (foreign)
      return void sendJson(res, foreign.status, { error: foreign.code, error_description: foreign.message });
    const exchange = { req, res, url: new URL(req.url ?? '/', url) };
    route(parts, exchange).catch((error: unknown) => fail(res, error));
  };
  const started = stack.move();
  return {
    url,
    issuer: `${url}/`,
    port,
    jwksUri: `${url}/.well-known/jwks.json`,
    connection,
    managementAudience: audiences.management,
    createUser: (input) => users.create(input),
    findUserByEmail: (email) => users.findByEmail(email),
    stop: async () => {
      await started.disposeAsync();
      database.close();
    },
  };
};
