import {
  type CfnElement,
  DefaultStackSynthesizer,
  RemovalPolicy,
  Stack,
  Token,
  Validations,
} from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, type ISource, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { type BoardConfig, embedName, stayFolder } from '../../board/build.ts';
import type { Stage } from '../stage.ts';
import { embedOf, hashedFiles, namedFiles } from './board-files.ts';

/** What is shown of a name that the board does not have. */
export const missingPage = '404.html';

interface BoardDeploymentProps {
  stage: Stage;
  bucket: IBucket;
  config: BoardConfig;
  /** Of the page for guests. */
  stayConfig: BoardConfig;
}

/**
 * Puts the files of the board into their bucket: first those whose names carry their hash, then the page that names them. Files of
 * earlier versions stay, so that an open tab finds its own. A function of the CDK copies them, which runs while the stack is deployed
 * and never else; it has a role of ours, since what the CDK would permit it is much wider.
 */
export class BoardDeployment extends Construct {
  constructor(scope: Construct, id: string, { stage, bucket, config, stayConfig }: BoardDeploymentProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Log', {
      retention: stage.logs.days,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const copying = this.#role(bucket);
    logGroup.grantWrite(copying);
    const role = copying.withoutPolicyUpdates();
    const put = (what: string, cacheControl: string, ...sources: ISource[]): BucketDeployment =>
      new BucketDeployment(this, what, {
        ...{ destinationBucket: bucket, sources, logGroup, role },
        cacheControl: [CacheControl.fromString(cacheControl)],
        prune: false,
      });
    const hashed = put('Hashed', hashedFiles.cacheControl, Source.asset(hashedFiles.folder));
    const named = put(
      'Named',
      namedFiles.cacheControl,
      Source.asset(namedFiles.folder),
      Source.jsonData('config.json', config),
      Source.jsonData(`${stayFolder}config.json`, stayConfig),
      Source.data(embedName, embedOf(config.api_url)),
      Source.data(missingPage, '<!doctype html><title>404</title><p>404: not found</p>'),
    );
    named.node.addDependency(hashed);
    this.#acknowledge();
  }

  /** It reads what `cdk deploy` has published, and adds to the bucket: it deletes nothing. */
  #role(bucket: IBucket): Role {
    const stack = Stack.of(this);
    const published = `cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}-assets`;
    const archives = (account: string) =>
      `arn:${stack.partition}:s3:::${published}-${account}-${stack.region}/*.zip`;
    const statements = [
      new PolicyStatement({ sid: 'Read', actions: ['s3:GetObject'], resources: [archives(stack.account)] }),
      new PolicyStatement({ sid: 'List', actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
      new PolicyStatement({ sid: 'Put', actions: ['s3:PutObject'], resources: [bucket.arnForObjects('*')] }),
    ];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Copy: new PolicyDocument({ statements }) },
    });
    const read = archives(Token.isUnresolved(stack.account) ? '<AWS::AccountId>' : stack.account);
    const written = `<${stack.getLogicalId(bucket.node.defaultChild as CfnElement)}.Arn>/*`;
    Validations.of(role).acknowledge(
      {
        id: `AwsSolutions-IAM5[Resource::${read}]`,
        reason: 'The names of archives are their hashes, which every version of the board changes.',
      },
      {
        id: `AwsSolutions-IAM5[Resource::${written}]`,
        reason: 'The names of files have their hashes, which every version of the board changes.',
      },
    );
    return role;
  }

  #acknowledge(): void {
    const copier = Stack.of(this).node.children.find(({ node }) =>
      node.id.startsWith('Custom::CDKBucketDeployment'),
    );
    if (!copier) throw new Error('The CDK has no function that copies the files of the board.');
    const ofTheCdk =
      'The function is a part of the CDK, which is updated with it: its runtime is the one it was tested with.';
    Validations.of(copier).acknowledge(
      { id: 'AwsSolutions-L1', reason: ofTheCdk },
      { id: 'Serverless-LambdaLatestVersion', reason: ofTheCdk },
      {
        id: 'Serverless-LambdaDLQ',
        reason: 'CloudFormation calls it and waits for its answer: what fails fails the deployment.',
      },
      {
        id: 'Serverless-LambdaTracing',
        reason:
          'It runs while the stack is deployed and never for a caller; its log says what it has copied.',
      },
    );
  }
}
