import { randomBytes } from 'node:crypto';
import type { Ready } from '../../../infra/local/ready.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** The headers that authenticate a caller. */
export type Credentials = Record<string, string>;

export interface Reply {
  status: number;
  /** The body as received. */
  text: string;
  json: Record<string, unknown> & { code?: string; details?: Record<string, unknown> };
  headers: Headers;
  ms: number;
}

export interface Request {
  method?: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

export type Call = (who: Credentials, request: Request) => Promise<Reply>;

export const callerOf =
  ({ api_url }: Pick<Ready, 'api_url'>): Call =>
  async (who, { method = 'POST', path, body, headers = {} }) => {
    const startedAt = performance.now();
    const reply = await fetch(`${api_url}${path}`, {
      method,
      headers: { ...who, ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await reply.text();
    const json = (
      reply.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}
    ) as Reply['json'];
    return { status: reply.status, text, json, headers: reply.headers, ms: performance.now() - startedAt };
  };

export const keyOf = ({ demo }: Ready): Credentials => ({ 'X-API-Key': demo.api_key });

const postJson = async (address: string, body: object): Promise<Record<string, string>> => {
  const reply = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await reply.json()) as Record<string, string>;
  if (!reply.ok) throw new Error(`${address}: ${reply.status} ${JSON.stringify(answer)}`);
  return answer;
};

/** Logs in by password grant. */
export const signIn = async (
  { auth_url, client }: Ready,
  person: { email: string; password: string },
): Promise<Credentials> => {
  const { access_token = '' } = await postJson(`${auth_url}/oauth/token`, {
    grant_type: 'password',
    username: person.email,
    password: person.password,
    scope: 'openid profile email',
    ...client,
  });
  return { Authorization: `Bearer ${access_token}` };
};

interface Mail {
  to: string;
  subject: string;
  text: string;
  links: string[];
}

export const mailsOf = async ({ api_url }: Ready): Promise<Mail[]> =>
  (await (await fetch(`${api_url}/_local/mailbox.json`)).json()) as Mail[];

/** Creates a user with a verified e-mail as a browser does: sign-up, then the link in the mail. */
const signUp = async (ready: Ready): Promise<Credentials & { Authorization: string }> => {
  const person = { email: `${randomBytes(6).toString('hex')}@storm.example`, password: 'Storm-2027' };
  await postJson(`${ready.auth_url}/dbconnections/signup`, {
    client_id: ready.client.client_id,
    connection: 'Username-Password-Authentication',
    ...person,
    user_metadata: { full_name: 'Lê Văn Bão', phone: '+84 905 111 222' },
  });
  const link = async () => (await mailsOf(ready)).find(({ to }) => to === person.email)?.links[0];
  await waitUntil('the verification mail comes', async () => (await link()) !== undefined);
  await fetch((await link()) ?? '');
  return (await signIn(ready, person)) as Credentials & { Authorization: string };
};

export const signUpMany = (ready: Ready, count: number) =>
  Promise.all(Array.from({ length: count }, () => signUp(ready)));
