import { ServiceError } from '../../../../shared/platform/errors.ts';
import { type Clock, instantText } from '../../../../shared/platform/time/clock.ts';
import { fixedSecret } from '../../../../shared/platform/secrets/index.ts';
import { createAuth0 } from '../../../../shared/platform/identity/auth0.ts';
import type {
  IdentityProvider,
  TokenClaims,
  TokenVerifier,
} from '../../../../shared/platform/identity/index.ts';
import type { Simulation } from '../simulation.ts';
import type { Weather } from '../weather.ts';

/** A person at the identity provider. */
export interface Account {
  subject: string;
  email: string;
  password: string;
  isVerified: boolean;
  full_name: string;
  /** When a new password was set by a link, epoch milliseconds. */
  resetAt?: number;
}

/** Carries a call to the provider: it may be lost, late or repeated. */
type Network = <Answer>(what: string, act: () => Answer) => Promise<Answer>;

interface Answer {
  status: number;
  body: object | string;
}

type Fields = Record<string, string>;

const config = {
  issuer: 'https://tenant.example.com/',
  audience: 'https://api.example.com',
  client_id: 'nightlatch',
  client_secret: fixedSecret('a secret'),
  connection: 'customers',
  management_audience: 'https://tenant.example.com/api/v2/',
};

const refusal = (status: number, code: string, error_description = code): Answer => ({
  status,
  body: { code, error: code, error_description, description: error_description },
});

/** Simulated Auth0: accounts, mails with links, tokens that end. */
export class Tenant {
  readonly accounts: Account[] = [];
  /** Delivers a mail with a link. */
  mail: (account: Account, what: 'verify' | 'reset') => void = () => undefined;
  /** Receives an account's address. */
  changed: (account: Account) => void = () => undefined;
  readonly #sim: Simulation;
  readonly #weather: Weather;
  /** The life of tokens. */
  readonly #seconds: number;
  /** At which full milliseconds calls are answered. */
  readonly roundMs: number | undefined;
  readonly #managers = new Map<string, number>();
  #tokens = 0;

  constructor(sim: Simulation, weather: Weather) {
    this.#sim = sim;
    this.#weather = weather;
    this.#seconds = Math.round(sim.between(300, 3600));
    this.roundMs = sim.chance(0.6) ? 1000 : undefined;
  }

  /** The product's client of the provider. */
  client(network: Network, clock: Clock): IdentityProvider {
    const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const url = new URL(input instanceof Request ? input.url : input);
      const text = typeof init?.body === 'string' ? init.body : '{}';
      const bearer = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length);
      const { status, body } = await network(url.pathname, () =>
        this.#answer(url, JSON.parse(text) as Fields, bearer),
      );
      return new Response(JSON.stringify(body), { status });
    };
    return createAuth0(config, { clock, fetch });
  }

  byEmail(email: string): Account | undefined {
    return this.accounts.find((account) => account.email === email);
  }

  /** Adds an account that is not verified, of a sign-up here or elsewhere. */
  addAccount(person: Omit<Account, 'isVerified'>): Account {
    const account = { ...person, isVerified: false };
    this.accounts.push(account);
    this.#sim.note(`the provider has an account of ${person.email}`);
    this.changed(account);
    return account;
  }

  /** Changes the address of an account, or whether it is verified. */
  change(account: Account, address: Partial<Pick<Account, 'email' | 'isVerified'>>): void {
    Object.assign(account, address);
    this.changed(account);
  }

  /** Checks a token of the provider; `now` is the verifier's clock. Signatures are not simulated. */
  verifier(now: () => number): TokenVerifier {
    return async (token) => {
      const claims = claimsOf(token);
      if (!claims || claims.exp * 1000 <= now()) throw new ServiceError('UNAUTHORIZED');
      return { subject: claims.sub, claims };
    };
  }

  #answer(url: URL, fields: Fields, bearer: string | undefined): Answer {
    if (this.#weather.happens('the identity provider answers 429', 0.01))
      return refusal(429, 'too_many_requests');
    if (this.#weather.happens('the identity provider answers 503', 0.02)) return refusal(503, 'unavailable');
    const path = url.pathname.slice(1);
    if (path === 'oauth/token')
      return fields['grant_type'] === 'client_credentials' ? this.#managerToken() : this.#logIn(fields);
    if (path === 'dbconnections/signup') return this.#signUp(fields);
    if (path === 'dbconnections/change_password') return this.#resetPassword(fields);
    if ((this.#managers.get(bearer ?? '') ?? 0) <= this.#sim.now()) return refusal(401, 'invalid_token');
    if (path === 'api/v2/users-by-email') {
      const account = this.byEmail(url.searchParams.get('email') ?? '');
      return { status: 200, body: account ? [profileOf(account)] : [] };
    }
    const subject = path === 'api/v2/jobs/verification-email' ? fields['user_id'] : path.split('/')[3];
    const account = this.accounts.find((one) => one.subject === decodeURIComponent(subject ?? ''));
    if (!account) return refusal(404, 'inexistent_user');
    if (path === 'api/v2/jobs/verification-email') this.#send(account, 'verify');
    return { status: 200, body: profileOf(account) };
  }

  #managerToken(): Answer {
    const access_token = `manager-${++this.#tokens}`;
    this.#managers.set(access_token, this.#sim.now() + 20 * 60_000);
    return { status: 200, body: { access_token, expires_in: 1200 } };
  }

  #signUp({ email = '', password = '', name = '' }: Fields): Answer {
    if (this.byEmail(email)) return refusal(400, 'user_exists');
    const id = `u${this.accounts.length + 1}`;
    const account = this.addAccount({ subject: `auth0|${id}`, email, password, full_name: name });
    this.#send(account, 'verify');
    return { status: 200, body: { _id: id, email, email_verified: false } };
  }

  /** Returns a token of a person for an application. */
  tokenOf(
    subject: string,
    azp: string,
    { seconds = this.#seconds, said = {} }: { seconds?: number; said?: object } = {},
  ): string {
    const iat = Math.floor(this.#sim.now() / 1000);
    const claims = { ...said, azp, sub: subject, iat, exp: iat + seconds, n: ++this.#tokens };
    return `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sign`;
  }

  /** Returns a token of the application for hosts, as a sign-in on the provider's page gives it. */
  signIn({ email, password }: Pick<Account, 'email' | 'password'>): string | undefined {
    const account = this.byEmail(email);
    return account?.password === password && account.isVerified
      ? this.tokenOf(account.subject, hostApplication)
      : undefined;
  }

  #logIn({ username = '', password, client_id = '' }: Fields): Answer {
    const account = this.byEmail(username);
    if (account?.password !== password || !account) return refusal(403, 'invalid_grant');
    if (!account.isVerified) return refusal(401, 'access_denied', 'Please verify your e-mail.');
    const access_token = this.tokenOf(account.subject, client_id);
    return { status: 200, body: { access_token, expires_in: this.#seconds } };
  }

  #resetPassword({ email = '' }: Fields): Answer {
    const account = this.byEmail(email);
    if (account) this.#send(account, 'reset');
    return { status: 200, body: 'A mail was sent.' };
  }

  #send(account: Account, what: 'verify' | 'reset'): void {
    if (this.#weather.happens('a link lost', 0.1)) return;
    this.#sim.later(this.#sim.between(3000, 180_000), () => this.mail(account, what));
  }
}

const profileOf = ({ subject, email, isVerified, full_name, resetAt }: Account) => ({
  user_id: subject,
  email,
  email_verified: isVerified,
  name: full_name,
  identities: [{ connection: config.connection }],
  ...(resetAt === undefined ? {} : { last_password_reset: instantText(resetAt) }),
});

export const hostApplication = 'host-application';
/** The service's own application, of which the tokens of partners' logins are. */
export const partnerApplication = config.client_id;

/** The claims of a token of the provider. */
export const claimsOf = (token: string): TokenClaims | undefined => {
  const [header, payload = '', sign] = token.split('.');
  if (header !== 'header' || sign !== 'sign') return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as TokenClaims;
};
