import { Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  Function,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import { edgeHeaders } from '../../../shared/platform/http/edge-headers.ts';
import type { RouteGroup } from '../../../shared/platform/http/route.ts';
import { AddressRecords } from '../constructs/address-records.ts';
import { EdgeLog } from '../constructs/edge-log.ts';
import { callerRules, Firewall } from '../constructs/firewall.ts';
import { edgeSecretText } from '../edge-secret.ts';
import { edgeRegion } from '../stage-file.ts';
import { resourceName, type Stage } from '../stage.ts';

interface EdgeStackProps extends StackProps {
  stage: Stage;
  domain: NonNullable<Stage['domain']>;
  cloudfront: NonNullable<NonNullable<Stage['domain']>['cloudfront']>;
  groups: readonly RouteGroup[];
}

/** Groups with public rows whose answers are for one caller alone. */
const ofOneCaller = ['payments', 'invitations', 'guest'];

/** Returns the paths whose answers are the same for every caller, as CloudFront writes them. */
export const openPaths = (groups: readonly RouteGroup[]): string[] => [
  ...new Set(
    groups
      .filter(({ group }) => !ofOneCaller.includes(group))
      .flatMap(({ routes }) => Object.values(routes))
      .filter(({ access, method }) => access === 'public' && method === 'GET')
      .map(({ path }) => path.replace(/\{\w+\}/g, '*')),
  ),
];

/** CloudFront has it from the connection: a header of the same name that the viewer has sent is replaced. */
const nameViewer = `function handler(event) {
  var request = event.request;
  request.headers['${edgeHeaders.viewer.toLowerCase()}'] = { value: event.viewer.ip };
  return request;
}`;

/**
 * CloudFront before the gateway, at the API's name, with its firewall: the address that outlives the gateway. It keeps what is open to
 * everyone as long as its \`Cache-Control\` says (calendars a minute, files of the documentation a day); everything else passes. In
 * us-east-1, where CloudFront has its certificates and firewalls.
 */
export class EdgeStack extends Stack {
  constructor(scope: Construct, id: string, props: EdgeStackProps) {
    super(scope, id, props);
    const { stage, domain, cloudfront, groups } = props;
    const origin = new HttpOrigin(cloudfront.origin_name, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      customHeaders: { [edgeHeaders.secret]: edgeSecretText(stage, 'current', edgeRegion) },
      readTimeout: Duration.seconds(30),
    });
    const passing: BehaviorOptions = {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      functionAssociations: [
        { function: this.#viewerFunction(stage), eventType: FunctionEventType.VIEWER_REQUEST },
      ],
    };
    const kept: BehaviorOptions = {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: this.#cachePolicy(stage),
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    };
    const distribution = new Distribution(this, 'Distribution', {
      comment: resourceName(stage),
      domainNames: [domain.name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', cloudfront.certificate_arn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: passing,
      additionalBehaviors: Object.fromEntries(openPaths(groups).map((path) => [path, kept])),
      ...(stage.waf
        ? { webAclId: new Firewall(this, 'Firewall', { stage, rules: callerRules(stage) }).arn }
        : {}),
    });
    Validations.of(distribution).acknowledge({
      id: 'AwsSolutions-CFR1',
      reason: 'Guests book from every country, and the platforms that read calendars are in many.',
    });
    new EdgeLog(this, 'Log', { stage, distribution });
    new AddressRecords(this, 'Address', {
      ...{ name: domain.name, hostedZoneId: domain.hosted_zone_id },
      target: new CloudFrontTarget(distribution),
      targetName: distribution.distributionDomainName,
      output: 'DomainTarget',
    });
  }

  #viewerFunction(stage: Stage): Function {
    return new Function(this, 'NameViewer', {
      functionName: resourceName(stage, 'viewer'),
      comment: 'Says to the gateway which address a request comes from.',
      code: FunctionCode.fromInline(nameViewer),
      runtime: FunctionRuntime.JS_2_0,
    });
  }

  /** Answers differ by query and, in a browser, by origin (CORS). Without \`Cache-Control\` nothing is kept. */
  #cachePolicy(stage: Stage): CachePolicy {
    return new CachePolicy(this, 'OpenAnswers', {
      cachePolicyName: resourceName(stage, 'open'),
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.days(1),
      cookieBehavior: CacheCookieBehavior.none(),
      headerBehavior: CacheHeaderBehavior.allowList('Origin'),
      queryStringBehavior: CacheQueryStringBehavior.all(),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
  }
}
