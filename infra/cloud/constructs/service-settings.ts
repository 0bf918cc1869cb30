import { CfnParameter } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { settingRows } from '../../../shared/platform/settings.ts';

/** Returns the CloudFormation parameter of a setting: `SoftLockMinutes` for `SOFT_LOCK_MINUTES`. */
export const parameterName = (variable: string): string =>
  variable
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');

/** A stack parameter for each setting of the service, with its default. */
export class ServiceSettings extends Construct {
  readonly variables: Record<string, string>;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.variables = Object.fromEntries(
      settingRows().map(({ name, byDefault, values, pattern, meaning }) => {
        const parameter = new CfnParameter(this, name, {
          default: byDefault,
          allowedPattern: pattern,
          description: `${meaning} (${values}).`.slice(0, 400),
        });
        parameter.overrideLogicalId(parameterName(name));
        return [name, parameter.valueAsString];
      }),
    );
  }
}
