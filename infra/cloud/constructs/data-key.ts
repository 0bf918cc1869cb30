import { Duration } from 'aws-cdk-lib';
import { Alias, type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { dataKeyAlias } from '../data-key-alias.ts';
import type { Stage } from '../stage.ts';

/**
 * The key of KMS from which the data keys are made (D140): never readable, and kept as long as the table, without which nothing
 * that it has encrypted can be read.
 */
export class DataKey extends Construct {
  readonly key: IKey;

  constructor(scope: Construct, id: string, { stage }: { stage: Stage }) {
    super(scope, id);
    const { arn } = stage.data_key;
    this.key =
      arn === undefined
        ? new Key(this, 'Key', {
            description: `Nightlatch ${stage.name}: door codes, Wi-Fi passwords and webhook secrets.`,
            keySpec: KeySpec.HMAC_256,
            keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
            removalPolicy: stage.removalPolicy,
            pendingWindow: Duration.days(stage.keepsData ? 30 : 7),
          })
        : Key.fromKeyArn(this, 'Key', arn);
    // By its name the operator's tool finds it.
    new Alias(this, 'Alias', { aliasName: dataKeyAlias(stage.name), targetKey: this.key });
  }
}
