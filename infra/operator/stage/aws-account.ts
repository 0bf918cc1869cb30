import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import type { AwsService } from '../../../shared/platform/aws/endpoint.ts';
import {
  AwsRefusal,
  jsonRequest,
  type JsonRequestOptions,
} from '../../../shared/platform/aws/json-request.ts';
import { releaseIssuer } from '../../cloud/release-issuer.ts';
import type { AwsAccount } from './check-stage.ts';

const service = (name: string, variable: string, version: '1.0' | '1.1' = '1.1'): AwsService => ({
  name,
  variable: `AWS_ENDPOINT_URL_${variable}`,
  contentType: `application/x-amz-json-${version}`,
});

const parameters = service('ssm', 'SSM');
const secrets = service('secretsmanager', 'SECRETS_MANAGER');
const certificates = service('acm', 'ACM');
const quotas = service('servicequotas', 'SERVICE_QUOTAS');
/** Route 53 itself answers in XML. */
const resources = service('cloudcontrolapi', 'CLOUDCONTROL', '1.0');

const absent = new Set(['ParameterNotFound', 'ResourceNotFoundException', 'NoSuchResourceException']);

/** Returns undefined where AWS says that there is none. */
const orNone = async <Answer>(asked: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await asked;
  } catch (error) {
    const isNone =
      error instanceof NotFoundException ||
      (error instanceof AwsRefusal && absent.has(error.type.split('#').at(-1) ?? ''));
    if (isNone) return undefined;
    throw error;
  }
};

/** The id of Service Quotas for the concurrent executions of an account in a region. */
const concurrentExecutions = { ServiceCode: 'lambda', QuotaCode: 'L-B99A9384' };

/** Returns an account as AWS describes it. `options` gives endpoint and credentials of a service in a region. */
export const awsAccount = (
  options: (service: AwsService, region?: string) => JsonRequestOptions,
): AwsAccount => {
  const ask = (of: AwsService, target: string, input: object, region?: string) =>
    orNone(jsonRequest(of, of.name, options(of, region))(target, input));
  const mail = new SESv2Client({});
  const regionOf = (arn: string): string | undefined => arn.split(':')[3];
  return {
    bootstrap: async (region) => {
      const Name = '/cdk-bootstrap/hnb659fds/version';
      const answer = await ask(parameters, 'AmazonSSM.GetParameter', { Name }, region);
      return answer && Number((answer['Parameter'] as { Value: string }).Value);
    },
    secret: async (SecretId) => {
      const answer = await ask(secrets, 'secretsmanager.DescribeSecret', { SecretId }, regionOf(SecretId));
      return answer !== undefined && (answer['DeletedDate'] ?? null) === null;
    },
    sender: async (EmailIdentity) => {
      const identity = await orNone(mail.send(new GetEmailIdentityCommand({ EmailIdentity })));
      return identity?.VerifiedForSendingStatus === true;
    },
    sendsToAll: async () => (await mail.send(new GetAccountCommand({}))).ProductionAccessEnabled === true,
    certificate: async (CertificateArn) => {
      const target = 'CertificateManager.DescribeCertificate';
      const answer = await ask(certificates, target, { CertificateArn }, regionOf(CertificateArn));
      const { Status, SubjectAlternativeNames = [] } = (answer?.['Certificate'] ?? {}) as {
        Status?: string;
        SubjectAlternativeNames?: string[];
      };
      return Status === undefined ? undefined : { state: Status, names: SubjectAlternativeNames };
    },
    zone: async (Identifier) => {
      const input = { TypeName: 'AWS::Route53::HostedZone', Identifier };
      const answer = await ask(resources, 'CloudApiService.GetResource', input);
      const { Properties } = (answer?.['ResourceDescription'] ?? {}) as { Properties?: string };
      const { Name } = JSON.parse(Properties ?? '{}') as { Name?: string };
      return Name?.replace(/\.$/, '');
    },
    concurrency: async () => {
      const answer = await ask(quotas, 'ServiceQuotasV20190624.GetServiceQuota', concurrentExecutions);
      return (answer?.['Quota'] as { Value?: number } | undefined)?.Value;
    },
    knowsGitHub: async () => {
      const input = { TypeName: 'AWS::IAM::OIDCProvider' };
      const answer = await ask(resources, 'CloudApiService.ListResources', input);
      const { ResourceDescriptions = [] } = (answer ?? {}) as {
        ResourceDescriptions?: { Identifier: string }[];
      };
      return ResourceDescriptions.some(({ Identifier }) => Identifier.endsWith(`/${releaseIssuer}`));
    },
  };
};
