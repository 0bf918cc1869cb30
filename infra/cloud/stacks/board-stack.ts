import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  Function,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersReferrerPolicy,
  HttpVersion,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { boardHeaders, stayFolder, stayHeaders } from '../../board/build.ts';
import { AddressRecords } from '../constructs/address-records.ts';
import { BoardDeployment, missingPage } from '../constructs/board-deployment.ts';
import { resourceName, type Stage } from '../stage.ts';

interface BoardStackProps extends StackProps {
  stage: Stage;
  board: NonNullable<Stage['board']>;
  /** The address of the API, with a slash at the end. */
  apiUrl: string;
}

/**
 * The board for hosts, and the page for guests below `/stay/`: static files of a private bucket, by CloudFront. A browser gets
 * nothing else here; what it shows is the API's.
 */
export class BoardStack extends Stack {
  constructor(scope: Construct, id: string, props: BoardStackProps) {
    super(scope, id, props);
    const { stage, board, apiUrl } = props;
    const { issuer, audience, pages_client_id, guest_client_id } = stage.identity;
    const bucket = this.#bucket(stage);
    const distribution = new Distribution(this, 'Distribution', {
      comment: resourceName(stage, 'board'),
      domainNames: [board.name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', board.certificate_arn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultRootObject: 'index.html',
      ...this.#behaviors(stage, bucket, apiUrl),
      // CloudFront may not list the bucket, which therefore says 403 of a file that is not there.
      errorResponses: [
        {
          ...{ httpStatus: 403, responseHttpStatus: 404, responsePagePath: `/${missingPage}` },
          ttl: Duration.seconds(10),
        },
      ],
    });
    const configOf = (client_id = '') => ({
      api_url: apiUrl.replace(/\/$/, ''),
      issuer,
      audience,
      client_id,
    });
    new BoardDeployment(this, 'Files', {
      ...{ stage, bucket, config: configOf(pages_client_id), stayConfig: configOf(guest_client_id) },
    });
    new AddressRecords(this, 'Address', {
      ...{ name: board.name, hostedZoneId: board.hosted_zone_id },
      target: new CloudFrontTarget(distribution),
      targetName: distribution.distributionDomainName,
      output: 'BoardTarget',
    });
    new CfnOutput(this, 'BoardUrl', { value: `https://${board.name}/`, description: 'The board for hosts.' });
    this.#acknowledge(bucket, distribution);
  }

  /** What is served how: the files below `/stay/` may be read by pages of other origins. */
  #behaviors(stage: Stage, bucket: IBucket, apiUrl: string) {
    // The origin alone: a source with the path of the gateway's stage would permit no path below it.
    const [api_url = ''] = /^https:\/\/[^/]+/.exec(apiUrl) ?? [];
    const talksTo = { api_url, issuer: stage.identity.issuer };
    const shared = {
      origin: S3BucketOrigin.withOriginAccessControl(bucket),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: this.#cachePolicy(stage),
    };
    const headers = {
      board: this.#headersPolicy('Headers', resourceName(stage, 'board'), boardHeaders(talksTo)),
      stay: this.#headersPolicy('StayHeaders', resourceName(stage, 'board-stay'), stayHeaders(talksTo)),
    };
    const opening = { eventType: FunctionEventType.VIEWER_REQUEST, function: this.#opening(stage) };
    return {
      defaultBehavior: { ...shared, responseHeadersPolicy: headers.board },
      additionalBehaviors: {
        [`/${stayFolder}*`]: {
          ...{ ...shared, responseHeadersPolicy: headers.stay, functionAssociations: [opening] },
        },
      },
    };
  }

  #bucket(stage: Stage): IBucket {
    return new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      removalPolicy: stage.removalPolicy,
      autoDeleteObjects: stage.removalPolicy === RemovalPolicy.DESTROY,
    }) as IBucket;
  }

  /** A file is kept as long as its `Cache-Control` says. Queries do not count: a sign-in returns with its code in one. */
  #cachePolicy(stage: Stage): CachePolicy {
    return new CachePolicy(this, 'ByCacheControl', {
      cachePolicyName: resourceName(stage, 'board'),
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.days(365),
      cookieBehavior: CacheCookieBehavior.none(),
      headerBehavior: CacheHeaderBehavior.none(),
      queryStringBehavior: CacheQueryStringBehavior.none(),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
  }

  /** A bucket has no file of the name of a folder: `/stay/` is its page. */
  #opening(stage: Stage): Function {
    return new Function(this, 'Opening', {
      functionName: resourceName(stage, 'board-opening'),
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(
        "function handler({ request }) { if (request.uri.endsWith('/')) request.uri += 'index.html'; return request; }",
      ),
    });
  }

  #headersPolicy(id: string, name: string, headers: Record<string, string>): ResponseHeadersPolicy {
    const {
      'Content-Security-Policy': contentSecurityPolicy = '',
      'Referrer-Policy': _,
      ...others
    } = headers;
    const override = true;
    const customHeaders = Object.entries(others).map(([header, value]) => ({ header, value, override }));
    return new ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName: name,
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override },
        contentTypeOptions: { override },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override },
      },
      ...(customHeaders.length === 0 ? {} : { customHeadersBehavior: { customHeaders } }),
    });
  }

  #acknowledge(bucket: IBucket, distribution: Distribution): void {
    const isPublic =
      'Its files are the same for everyone, and hold nothing of anyone: what is personal is read';
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: `${isPublic} from the API, which has a log.`,
    });
    Validations.of(distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'Hosts are in every country, and use the board while they travel.' },
      {
        id: 'AwsSolutions-CFR2',
        reason: `${isPublic} from the API, which has the firewall. CloudFront itself takes floods of static files.`,
      },
      {
        id: 'AwsSolutions-CFR3',
        reason: `${isPublic} from the API, which has a log. One of CloudFront would be made in us-east-1, and keep addresses of people.`,
      },
    );
  }
}
