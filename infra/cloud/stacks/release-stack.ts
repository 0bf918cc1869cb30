import { CfnOutput, DefaultStackSynthesizer, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnOIDCProvider, PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { releaseIssuer as issuer } from '../release-issuer.ts';
import { edgeRegion } from '../stage-file.ts';
import { resourceName, type Stage } from '../stage.ts';

/** The roles that `cdk bootstrap` has made and `cdk deploy` works with: what is deployed, CloudFormation's own role may do. */
const bootstrapRoles = ['deploy', 'file-publishing', 'lookup'];

interface ReleaseStackProps extends StackProps {
  stage: Stage;
  repository: string;
}

/**
 * The role with which GitHub Actions deploys a stage: jobs of one repository, in the environment with the name of the stage. They
 * prove who they are by a token of their run (OpenID Connect), so no key of AWS is stored at GitHub.
 */
export class ReleaseStack extends Stack {
  constructor(scope: Construct, id: string, { stage, repository, ...props }: ReleaseStackProps) {
    super(scope, id, props);
    const provider = stage.release.has_provider
      ? this.formatArn({ service: 'iam', region: '', resource: 'oidc-provider', resourceName: issuer })
      : this.#makeProvider();
    const role = new Role(this, 'Role', {
      roleName: resourceName(stage, 'release'),
      description: `Deploys ${stage.name} from ${repository}.`,
      assumedBy: new WebIdentityPrincipal(provider, {
        StringEquals: {
          [`${issuer}:aud`]: 'sts.amazonaws.com',
          [`${issuer}:sub`]: `repo:${repository}:environment:${stage.name}`,
        },
      }),
    });
    const regions = new Set([this.region, ...(stage.domain?.cloudfront ? [edgeRegion] : [])]);
    role.addToPolicy(
      new PolicyStatement({
        sid: 'Deploy',
        actions: ['sts:AssumeRole'],
        resources: [...regions].flatMap((region) =>
          bootstrapRoles.map((name) =>
            this.formatArn({
              service: 'iam',
              region: '',
              resource: 'role',
              resourceName: `cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}-${name}-role-${this.account}-${region}`,
            }),
          ),
        ),
      }),
    );
    new CfnOutput(this, 'ReleaseRole', {
      value: role.roleArn,
      description: `The variable AWS_ROLE of the environment ${stage.name} at GitHub.`,
    });
  }
  /** An account has one, so it stays for other stages when this one goes. */
  #makeProvider(): string {
    const provider = new CfnOIDCProvider(this, 'GitHub', {
      url: `https://${issuer}`,
      clientIdList: ['sts.amazonaws.com'],
    });
    provider.applyRemovalPolicy(RemovalPolicy.RETAIN);
    return provider.attrArn;
  }
}
