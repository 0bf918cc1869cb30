import {
  startIdentityProvider,
  type IdentityProviderSettings,
  type Mail,
  type RunningIdentityProvider,
} from '../../infra/local/identity/index.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { createTokenVerifier, type Auth0Config } from '../../shared/platform/identity/index.ts';
import { fixedSecret } from '../../shared/platform/secrets/index.ts';
import { freshEmail, strongPassword } from './identity-contract.ts';

export const audience = 'https://api.nightlatch.test';
export const client = { client_id: 'nightlatch-test', client_secret: 'a-secret-of-the-test' };

export const createMailbox = () => {
  const mails: Mail[] = [];
  return {
    mails,
    sendMail: (mail: Mail) => void mails.push(mail),
    linkMailedTo: (email: string) =>
      /http\S+/.exec(mails.findLast(({ to }) => to === email)?.text ?? '')?.[0],
  };
};

export const start = (settings: Partial<IdentityProviderSettings> = {}) =>
  startIdentityProvider({
    port: 0,
    clock: systemClock,
    clients: [client],
    audience,
    sendMail: () => undefined,
    ...settings,
  });

export const configOf = ({
  issuer,
  connection,
  managementAudience,
}: RunningIdentityProvider): Auth0Config => ({
  client_id: client.client_id,
  client_secret: fixedSecret(client.client_secret),
  issuer,
  audience,
  connection,
  management_audience: managementAudience,
});

export const verifierOf = ({ issuer, jwksUri }: RunningIdentityProvider) =>
  createTokenVerifier({ issuer, audience, jwksUri, allowHttp: true });

/** Returns an HTTP client with cookies and redirects. */
export const createBrowser = () => {
  const cookies = new Map<string, { value: string; path: string }>();
  const visit = async (address: string, form?: Record<string, string>): Promise<Response> => {
    const { pathname } = new URL(address);
    const sent = [...cookies].filter(([, { path }]) => pathname.startsWith(path));
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
      cookies.set(name, { value, path: /path=([^;]+)/i.exec(rest)?.[1] ?? '/' });
    }
    return response;
  };
  /** Follows redirects on the provider; stops at the first page or at another host. */
  const go = async (
    address: string,
    form?: Record<string, string>,
  ): Promise<{ at: string; response?: Response }> => {
    const response = await visit(address, form);
    const location = response.headers.get('location');
    if (location === null) return { at: address, response };
    const next = new URL(location, address).href;
    return next.startsWith(new URL(address).origin) ? go(next) : { at: next };
  };
  return { go };
};

/** Returns the calls of a running provider. */
export const callsOf = (provider: () => RunningIdentityProvider) => {
  const postJson = (path: string, body: object) =>
    fetch(`${provider().url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  /** Creates an account. */
  const newcomer = async (settings: { email_verified?: boolean } = {}) => {
    const person = { email: freshEmail(), password: strongPassword() };
    const user = await provider().createUser({
      ...person,
      full_name: 'Bình',
      email_verified: true,
      ...settings,
    });
    return { ...person, subject: user.subject };
  };
  return { postJson, newcomer };
};
