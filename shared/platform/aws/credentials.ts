import { promises as files } from 'node:fs';
import { machineClock } from '../time/clock.ts';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  expiration?: Date;
}

export type CredentialProvider = () => Promise<Credentials>;

type Variables = Readonly<Record<string, string | undefined>>;

/** Credentials are replaced this long before they expire, as the SDKs do. */
const refreshMs = 5 * 60_000;
const containerTimeoutMs = 1000;

/** Returns a provider that keeps credentials until shortly before they expire; concurrent callers share one request. */
export const keptCredentials = (load: CredentialProvider, clock = machineClock): CredentialProvider => {
  let kept: Credentials | undefined;
  let loading: Promise<Credentials> | undefined;
  const leftMs = (): number => (kept?.expiration?.getTime() ?? Number.POSITIVE_INFINITY) - clock.now();
  const refresh = async (): Promise<Credentials> => {
    try {
      return (kept = await load());
    } catch (error) {
      if (kept && leftMs() > 0) return kept;
      throw error;
    } finally {
      loading = undefined;
    }
  };
  return async () => (kept && leftMs() > refreshMs ? kept : await (loading ??= refresh()));
};

/** Reads the credentials of a function or a container: from its variables, else from its credentials endpoint. */
export const environmentCredentials = async (env: Variables = process.env): Promise<Credentials> => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_CREDENTIAL_EXPIRATION } = env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return containerCredentials(env);
  return credentialsOf(
    AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY,
    AWS_SESSION_TOKEN,
    AWS_CREDENTIAL_EXPIRATION,
  );
};

const containerCredentials = async (env: Variables): Promise<Credentials> => {
  const {
    AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative,
    AWS_CONTAINER_CREDENTIALS_FULL_URI: full,
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
  } = env;
  const address = relative ? `http://169.254.170.2${relative}` : full;
  if (!address)
    throw refused('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set, nor is a credentials endpoint');
  if (!isTrusted(new URL(address)))
    throw refused(`${address} is neither https nor an address of this machine`);
  const authorization = file ? await files.readFile(file, 'utf8') : env['AWS_CONTAINER_AUTHORIZATION_TOKEN'];
  const reply = await fetch(address, {
    headers: authorization ? { authorization } : {},
    redirect: 'error',
    signal: AbortSignal.timeout(containerTimeoutMs),
  });
  if (!reply.ok) throw refused(`the credentials endpoint answered ${reply.status}`);
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = (await reply.json()) as Record<
    string,
    string | undefined
  >;
  if (!AccessKeyId || !SecretAccessKey) throw refused('the credentials endpoint returned no credentials');
  return credentialsOf(AccessKeyId, SecretAccessKey, Token, Expiration);
};

const credentialsOf = (
  accessKeyId: string,
  secretAccessKey: string,
  sessionToken: string | undefined,
  expiration: string | undefined,
): Credentials => ({
  accessKeyId,
  secretAccessKey,
  ...(sessionToken && { sessionToken }),
  ...(expiration && { expiration: new Date(expiration) }),
});

/** The addresses that the SDKs accept over http: this machine, ECS and EKS. */
const isTrusted = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' ||
  /^(localhost|127(\.\d+){3}|\[::1\]|169\.254\.170\.(2|23)|\[fd00:ec2::23\])$/.test(hostname);

const refused = (reason: string): Error =>
  Object.assign(new Error(`No AWS credentials: ${reason}.`), { name: 'CredentialsProviderError' });
