import { DomainName, EndpointType, SecurityPolicy, type SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import { AddressRecords } from './address-records.ts';
import type { Stage } from '../stage.ts';

interface OwnDomainProps {
  domain: NonNullable<Stage['domain']>;
  api: SpecRestApi;
}

/**
 * The gateway at a name of the operator's own, which stays when the gateway is replaced: the name of the API, or the one that
 * CloudFront calls. TLS 1.2 or newer.
 */
export class OwnDomain extends Construct {
  constructor(scope: Construct, id: string, { domain, api }: OwnDomainProps) {
    super(scope, id);
    const { certificate_arn, hosted_zone_id: hostedZoneId, cloudfront } = domain;
    const name = cloudfront?.origin_name ?? domain.name;
    const domainName = new DomainName(this, 'Name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificate_arn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    domainName.addBasePathMapping(api, { stage: api.deploymentStage });
    new AddressRecords(this, 'Address', {
      ...{ name, hostedZoneId, target: new ApiGatewayDomain(domainName) },
      targetName: domainName.domainNameAliasDomainName,
      output: cloudfront ? 'OriginTarget' : 'DomainTarget',
    });
  }
}
