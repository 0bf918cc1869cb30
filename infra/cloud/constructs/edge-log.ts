import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { resourceName, type Stage } from '../stage.ts';

/** Queries are left out, since the address of a calendar has its secret there, and so are cookies and referrers. */
const recordFields = [
  ...['date', 'time', 'x-edge-location', 'c-ip', 'cs-method', 'x-host-header', 'cs-uri-stem', 'sc-status'],
  ...['cs(User-Agent)', 'sc-bytes', 'cs-bytes', 'time-taken', 'ssl-protocol', 'cs-protocol-version'],
  ...['x-edge-result-type', 'x-edge-detailed-result-type', 'x-edge-request-id'],
];

interface EdgeLogProps {
  stage: Stage;
  distribution: Distribution;
}

/** The log of CloudFront. Its lines have addresses of people, so they go as the logs of the stage do. */
export class EdgeLog extends Construct {
  constructor(scope: Construct, id: string, { stage, distribution }: EdgeLogProps) {
    super(scope, id);
    const bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      lifecycleRules: [{ expiration: Duration.days(stage.logs.days) }],
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const { account, region, partition } = Stack.of(this);
    bucket.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('delivery.logs.amazonaws.com')],
        actions: ['s3:PutObject'],
        resources: [bucket.arnForObjects('*')],
        conditions: {
          StringEquals: { 'aws:SourceAccount': account, 's3:x-amz-acl': 'bucket-owner-full-control' },
          ArnLike: { 'aws:SourceArn': `arn:${partition}:logs:${region}:${account}:delivery-source:*` },
        },
      }),
    );
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'It holds the log of CloudFront itself; CloudTrail has who reads it, where an account keeps that.',
    });
    Validations.of(distribution).acknowledge({
      id: 'AwsSolutions-CFR3',
      reason:
        'It has a log by delivery, which leaves out queries; the older one, which this rule asks for, cannot.',
    });
    const name = resourceName(stage, 'edge');
    const source = new CfnDeliverySource(this, 'Source', {
      name,
      logType: 'ACCESS_LOGS',
      resourceArn: distribution.distributionArn,
    });
    const destination = new CfnDeliveryDestination(this, 'Destination', {
      name,
      destinationResourceArn: bucket.bucketArn,
      outputFormat: 'json',
    });
    const delivery = new CfnDelivery(this, 'Delivery', {
      deliverySourceName: source.name,
      deliveryDestinationArn: destination.attrArn,
      recordFields,
    });
    delivery.addResourceDependency(source);
  }
}
