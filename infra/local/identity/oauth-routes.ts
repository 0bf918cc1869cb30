import type { IncomingMessage } from 'node:http';
import { stringify } from 'node:querystring';
import { Readable } from 'node:stream';
import type Provider from 'oidc-provider';
import { type Exchange, readFields } from './http.ts';

const realmGrant = 'http://auth0.com/oauth/grant-type/password-realm';

/** Returns the request with a form body: oidc-provider accepts forms only, Auth0 also JSON. */
const withForm = (req: IncomingMessage, fields: Record<string, unknown>): IncomingMessage => {
  const body = Buffer.from(stringify(fields as NodeJS.Dict<string>));
  const { method, url, socket, httpVersion } = req;
  const headers: NodeJS.Dict<string | string[]> = {
    ...req.headers,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  };
  delete headers['authorization'];
  delete headers['transfer-encoding'];
  // oidc-provider reads no other property of a request.
  return Object.assign(Readable.from([body]), {
    method,
    url,
    socket,
    httpVersion,
    headers,
  }) as unknown as IncomingMessage;
};

const basicCredentials = (header: string | undefined): Record<string, string> => {
  if (!header?.startsWith('Basic ')) return {};
  const [client_id = '', client_secret = ''] = Buffer.from(header.slice(6), 'base64')
    .toString('utf8')
    .split(':', 2)
    .map((part) => decodeURIComponent(part));
  return { client_id, client_secret };
};

/** Handles the token endpoint. Auth0's `audience` is the standard's `resource`. */
export const handleToken = async (provider: Provider, { req, res }: Exchange): Promise<void> => {
  const { audience, ...fields } = {
    ...basicCredentials(req.headers.authorization),
    ...(await readFields(req)),
  };
  if (fields['grant_type'] === realmGrant) fields['grant_type'] = 'password';
  if (typeof audience === 'string' && audience !== '') fields['resource'] = audience;
  await provider.callback()(withForm(req, fields), res);
};

export const handleAuthorize = async (provider: Provider, { req, res, url }: Exchange): Promise<void> => {
  const audience = url.searchParams.get('audience');
  url.searchParams.delete('audience');
  if (audience !== null && audience !== '') url.searchParams.set('resource', audience);
  const isOffline = (url.searchParams.get('scope') ?? '').split(' ').includes('offline_access');
  // The standard requires consent for refresh tokens; Auth0 does not. The login route answers this prompt itself.
  if (isOffline && !url.searchParams.has('prompt')) url.searchParams.set('prompt', 'consent');
  req.url = `${url.pathname}${url.search}`;
  await provider.callback()(req, res);
};
