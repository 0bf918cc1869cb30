import { CfnOutput } from 'aws-cdk-lib';
import {
  AaaaRecord,
  ARecord,
  HostedZone,
  type IAliasRecordTarget,
  RecordTarget,
} from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';

interface AddressRecordsProps {
  name: string;
  /** The zone of Route 53; without it an output says where the name must point to. */
  hostedZoneId: string | undefined;
  target: IAliasRecordTarget;
  /** The target's own name. */
  targetName: string;
  output: string;
}

/** The records that make a name lead to a target of AWS. */
export class AddressRecords extends Construct {
  constructor(scope: Construct, id: string, props: AddressRecordsProps) {
    super(scope, id);
    const { name, hostedZoneId, targetName: value } = props;
    if (hostedZoneId === undefined) {
      const description = `Where ${name} must point to: a CNAME record in its DNS.`;
      new CfnOutput(this, 'Target', { value, description }).overrideLogicalId(props.output);
      return;
    }
    // Records without a name of their own are at the name of the zone.
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName: name });
    const target = RecordTarget.fromAlias(props.target);
    new ARecord(this, 'Ipv4', { zone, target });
    new AaaaRecord(this, 'Ipv6', { zone, target });
  }
}
