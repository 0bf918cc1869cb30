import { Duration } from 'aws-cdk-lib';
import { Alias, type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { dataKeyAlias } from '../data-key-alias.ts';
import type { Stage } from '../stage.ts';

/**
 * The keys of KMS from which the data keys are made (D140): never readable, and kept as long as the table, because nothing else reads
 * what they have encrypted.
 */
export class DataKeys extends Construct {
  /** The last one encrypts. */
  readonly keys: readonly IKey[];

  constructor(scope: Construct, id: string, { stage }: { stage: Stage }) {
    super(scope, id);
    const { number, arns } = stage.data_key;
    this.keys = Array.from({ length: number }, (_, at) => this.#key(stage, at + 1, arns[at]));
  }

  #key(stage: Stage, number: number, arn: string | undefined): IKey {
    const key =
      arn === undefined
        ? new Key(this, `Key${number}`, {
            description: `Nightlatch ${stage.name}: door codes, Wi-Fi passwords and webhook secrets.`,
            keySpec: KeySpec.HMAC_256,
            keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
            removalPolicy: stage.removalPolicy,
            pendingWindow: Duration.days(stage.keepsData ? 30 : 7),
          })
        : Key.fromKeyArn(this, `Key${number}`, arn);
    // By its name the operator's tool finds it.
    new Alias(this, `Alias${number}`, { aliasName: dataKeyAlias(stage.name, number), targetKey: key });
    return key;
  }
}
