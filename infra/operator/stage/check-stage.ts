import type { StageFile } from '../../cloud/stage-file.ts';
import { edgeRegion } from '../../cloud/stage-file.ts';

/** What is asked about an AWS account. Each answer is undefined where there is no such thing. */
export interface AwsAccount {
  /** Returns the version of what `cdk bootstrap` made in a region. */
  bootstrap: (region: string) => Promise<number | undefined>;
  /** Returns whether there is a secret that is not being deleted. */
  secret: (arn: string) => Promise<boolean>;
  /** Returns whether SES may send from an address or domain. */
  sender: (identity: string) => Promise<boolean>;
  /** Returns whether SES sends to addresses that are not verified. */
  sendsToAll: () => Promise<boolean>;
  /** Returns the state of a certificate and the names that it is for. */
  certificate: (arn: string) => Promise<{ state: string; names: string[] } | undefined>;
  /** Returns the name of a hosted zone, without its last dot. */
  zone: (id: string) => Promise<string | undefined>;
  /** Returns how many functions may run at once. */
  concurrency: () => Promise<number | undefined>;
  /** Returns whether the account knows GitHub Actions. */
  knowsGitHub: () => Promise<boolean>;
}

/** Something that a deployment needs. */
export interface StageCheck {
  what: string;
  /** UNKNOWN: it could not be asked. WARNING: the deployment works without it. */
  state: 'OK' | 'WARNING' | 'MISSING' | 'UNKNOWN';
  /** What to do; null where nothing is to be done. */
  to_do: string | null;
}

/** What to do, or that nothing is. */
type Finding = { to_do: string; isWarning?: boolean } | undefined;

/** The version from which the CDK deploys. */
const leastBootstrap = 6;
/** What AWS keeps for functions without reserved concurrency. */
const unreserved = 100;
const usualConcurrency = 1000;

const bootstrapped = async (account: AwsAccount, region: string): Promise<Finding> => {
  const version = await account.bootstrap(region);
  if (version !== undefined && version >= leastBootstrap) return undefined;
  return { to_do: `Run \`npx cdk bootstrap aws://<account>/${region}\`.` };
};

const secretMade = async (account: AwsAccount, arn: string): Promise<Finding> =>
  (await account.secret(arn))
    ? undefined
    : { to_do: `Create the secret, and write its whole ARN into the stage file in place of ${arn}.` };

const senderVerified = async (account: AwsAccount, address: string): Promise<Finding> => {
  const domain = address.slice(address.indexOf('@') + 1);
  if ((await account.sender(address)) || (await account.sender(domain))) return undefined;
  return { to_do: `Verify ${address} or ${domain} as an identity of SES.` };
};

const outOfSandbox = async (account: AwsAccount): Promise<Finding> =>
  (await account.sendsToAll())
    ? undefined
    : {
        to_do: 'SES is in its sandbox and sends to verified addresses alone: request production access.',
        isWarning: true,
      };

const isFor = (name: string, names: readonly string[]): boolean =>
  names.some((one) => one === name || (one.startsWith('*.') && name.replace(/^[^.]+/, '*') === one));

const certified = async (account: AwsAccount, arn: string, name: string): Promise<Finding> => {
  const certificate = await account.certificate(arn);
  if (!certificate) return { to_do: `Request a certificate for ${name}: there is no ${arn}.` };
  if (certificate.state !== 'ISSUED')
    return { to_do: `The certificate is ${certificate.state}: validate it, then wait until it is ISSUED.` };
  if (isFor(name, certificate.names)) return undefined;
  return { to_do: `The certificate is for ${certificate.names.join(', ')}, not for ${name}.` };
};

const zoned = async (account: AwsAccount, id: string, name: string): Promise<Finding> => {
  const zone = await account.zone(id);
  if (zone === undefined) return { to_do: `There is no hosted zone ${id}.` };
  if (name === zone || name.endsWith(`.${zone}`)) return undefined;
  return { to_do: `The hosted zone is ${zone}, which does not hold ${name}.` };
};

const concurrent = async (account: AwsAccount, file: StageFile): Promise<Finding> => {
  const { authorizer = 0, payments = 0 } = file.concurrency;
  const reserved = authorizer + payments;
  const quota = await account.concurrency();
  if (quota === undefined)
    return { to_do: 'The quota of concurrent executions is not known.', isWarning: true };
  const ask = 'Ask Service Quotas for more "Concurrent executions" of Lambda';
  if (reserved > 0 && reserved > quota - unreserved)
    return {
      to_do: `${ask}, or reserve less: \`concurrency\` reserves ${reserved} of ${quota}, and AWS keeps ${unreserved} unreserved.`,
    };
  if (quota >= usualConcurrency) return undefined;
  return { to_do: `${ask}: it is ${quota}, and requests beyond it fail.`, isWarning: true };
};

/** An account has one provider for all its stages; the release stack of this one may have made it. */
const known = async (account: AwsAccount, hasProvider: boolean): Promise<Finding> => {
  if ((await account.knowsGitHub()) === hasProvider) return undefined;
  return hasProvider
    ? { to_do: 'The account does not know GitHub Actions: take `has_provider` out of `release`.' }
    : {
        to_do:
          'The account knows GitHub Actions: unless `nightlatch-<stage>-release` of this stage made it, write `"has_provider": true` into `release`.',
        isWarning: true,
      };
};

/** Looks at what an account must have before a stage is deployed to it. Never reads a secret. */
export const checkStage = async (file: StageFile, account: AwsAccount): Promise<StageCheck[]> => {
  const { domain, board, identity, payment, canary } = file;
  const edge = domain?.cloudfront;
  const secrets = {
    'identity.secret_arn': identity.secret_arn,
    'payment.secret_arn': payment.gateway === 'none' ? undefined : payment.secret_arn,
    'canary.secret_arn': canary?.secret_arn,
    'domain.cloudfront.secret_arn': edge?.secret_arn,
  };
  const asked: [string, Promise<Finding>][] = [
    [`cdk bootstrap of ${file.region}`, bootstrapped(account, file.region)],
    ...Object.entries(secrets).flatMap(([field, arn]): [string, Promise<Finding>][] =>
      arn === undefined ? [] : [[field, secretMade(account, arn)]],
    ),
    ['mail_sender', senderVerified(account, file.mail_sender)],
    ['production access of SES', outOfSandbox(account)],
    ['concurrent executions of Lambda', concurrent(account, file)],
  ];
  if (file.release.repository !== undefined)
    asked.push(['release.has_provider', known(account, file.release.has_provider)]);
  if (domain) {
    const { name, certificate_arn, hosted_zone_id } = domain;
    asked.push(['domain.certificate_arn', certified(account, certificate_arn, edge?.origin_name ?? name)]);
    if (hosted_zone_id !== undefined)
      asked.push(['domain.hosted_zone_id', zoned(account, hosted_zone_id, name)]);
    if (edge)
      asked.push(
        [`cdk bootstrap of ${edgeRegion}`, bootstrapped(account, edgeRegion)],
        ['domain.cloudfront.certificate_arn', certified(account, edge.certificate_arn, name)],
      );
  }
  if (board) {
    const { name, certificate_arn, hosted_zone_id } = board;
    asked.push(['board.certificate_arn', certified(account, certificate_arn, name)]);
    if (hosted_zone_id !== undefined)
      asked.push(['board.hosted_zone_id', zoned(account, hosted_zone_id, name)]);
  }
  return Promise.all(asked.map(([what, finding]) => found(what, finding)));
};

const found = async (what: string, finding: Promise<Finding>): Promise<StageCheck> => {
  try {
    const answer = await finding;
    if (!answer) return { what, state: 'OK', to_do: null };
    return { what, state: answer.isWarning ? 'WARNING' : 'MISSING', to_do: answer.to_do };
  } catch (error) {
    return { what, state: 'UNKNOWN', to_do: `It could not be asked: ${(error as Error).message}` };
  }
};
