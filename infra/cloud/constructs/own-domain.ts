import { CfnOutput } from 'aws-cdk-lib';
import { DomainName, EndpointType, SecurityPolicy, type SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';

interface OwnDomainProps {
  domain: NonNullable<Stage['domain']>;
  api: SpecRestApi;
}

/** The API at a name of the operator's own, which stays when the gateway is replaced. TLS 1.2 or newer. */
export class OwnDomain extends Construct {
  constructor(scope: Construct, id: string, { domain, api }: OwnDomainProps) {
    super(scope, id);
    const { name, certificate_arn, hosted_zone_id: hostedZoneId } = domain;
    const domainName = new DomainName(this, 'Name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificate_arn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    domainName.addBasePathMapping(api, { stage: api.deploymentStage });
    if (hostedZoneId === undefined)
      new CfnOutput(this, 'Target', {
        value: domainName.domainNameAliasDomainName,
        description: `Where ${name} must point to: a CNAME record in its DNS.`,
      }).overrideLogicalId('DomainTarget');
    else {
      // Records without a name of their own are at the name of the zone.
      const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName: name });
      const target = RecordTarget.fromAlias(new ApiGatewayDomain(domainName));
      new ARecord(this, 'Ipv4', { zone, target });
      new AaaaRecord(this, 'Ipv6', { zone, target });
    }
  }
}
