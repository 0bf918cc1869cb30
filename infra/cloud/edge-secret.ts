import { SecretValue } from 'aws-cdk-lib';
import type { Stage } from './stage.ts';

/**
 * Returns a reference to the secret that CloudFront sends, which CloudFormation resolves in `region`, by default that of the stage:
 * the secret is in no template. It names the version, because CloudFormation notices a new value by nothing else.
 */
export const edgeSecretText = (stage: Stage, field: 'current' | 'previous', region?: string): string => {
  const { cloudfront } = stage.domain ?? {};
  if (!cloudfront) throw new Error(`The stage ${stage.name} has no CloudFront.`);
  const { secret_arn: arn, secret_version: versionId } = cloudfront;
  const inRegion = region === undefined ? arn : arn.replace(`:${stage.region}:`, `:${region}:`);
  return SecretValue.secretsManager(inRegion, { jsonField: field, versionId }).unsafeUnwrap();
};
