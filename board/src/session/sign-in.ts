import * as oauth from 'oauth4webapi';
import { boardUrl, type Config } from '../config.ts';

/** What the tab remembers while the person is at the identity provider. */
interface Departure {
  verifier: string;
  state: string;
  /** The view to return to. */
  hash: string;
}

const departureName = 'departure';

/** What a sign-in has brought. It is kept in memory alone: a script that reads the disk finds no token. */
export interface Tokens {
  accessToken: string;
  idToken: string | undefined;
  endSessionUrl: string | undefined;
}

const provider = async ({ issuer }: Config) => {
  const url = new URL(issuer);
  // oxlint-disable-next-line typescript/no-deprecated -- Marked so that it stands out: a provider on this machine has no certificate.
  const allowed = oauth.allowInsecureRequests;
  const options = { [allowed]: ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname) };
  const response = await oauth.discoveryRequest(url, { ...options, algorithm: 'oidc' });
  return { server: await oauth.processDiscoveryResponse(url, response), options };
};

const client = ({ client_id }: Config): oauth.Client => ({ client_id });

/**
 * Leaves for the identity provider: authorization code with PKCE. `isAnew`: a person who is signed in there is asked again, as after a
 * sign-out that did not reach it.
 */
export const beginSignIn = async (
  config: Config,
  isAnew: boolean,
  more: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const { server } = await provider(config);
  const departure: Departure = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    hash: location.hash,
  };
  sessionStorage.setItem(departureName, JSON.stringify(departure));
  const url = new URL(server.authorization_endpoint ?? '');
  const asked = {
    response_type: 'code',
    client_id: config.client_id,
    redirect_uri: boardUrl(),
    audience: config.audience,
    scope: 'openid profile email',
    state: departure.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(departure.verifier),
    code_challenge_method: 'S256',
    ...(isAnew ? { prompt: 'login' } : {}),
    ...more,
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  location.assign(url);
};

/** Returns the tokens of a sign-in that has just returned; undefined: none has. Throws if the provider refused it. */
export const finishSignIn = async (config: Config): Promise<Tokens | undefined> => {
  const returned = new URL(location.href);
  if (!returned.searchParams.has('state')) return undefined;
  const departure = takeDeparture();
  history.replaceState(null, '', boardUrl() + (departure?.hash ?? ''));
  // A replaced address is not announced by itself.
  dispatchEvent(new HashChangeEvent('hashchange'));
  if (!departure) return undefined;
  const { server, options } = await provider(config);
  const parameters = oauth.validateAuthResponse(server, client(config), returned, departure.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client(config),
    oauth.None(),
    parameters,
    boardUrl(),
    departure.verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client(config), response);
  return {
    accessToken: tokens.access_token,
    idToken: tokens.id_token,
    endSessionUrl: server.end_session_endpoint,
  };
};

const takeDeparture = (): Departure | undefined => {
  const text = sessionStorage.getItem(departureName);
  sessionStorage.removeItem(departureName);
  return text === null ? undefined : (JSON.parse(text) as Departure);
};

/** Ends the session at the identity provider too, and returns to the board. */
export const leave = ({ client_id }: Config, { idToken, endSessionUrl }: Tokens): void => {
  if (endSessionUrl === undefined) {
    location.assign(boardUrl());
    return;
  }
  const url = new URL(endSessionUrl);
  const asked = { client_id, post_logout_redirect_uri: boardUrl(), id_token_hint: idToken };
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined) url.searchParams.set(name, value);
  location.assign(url);
};
