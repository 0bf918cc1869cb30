import { CfnParameter, SecretValue } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { IdentityEnv } from '../../../shared/platform/env.ts';
import type { Variables } from '../environment.ts';
import type { Stage } from '../stage.ts';

/** Returns the name of the secret that the operator creates before the first deployment, with the field `client_secret`. */
const identitySecretName = (stage: Stage): string => `nightlatch/${stage.name}/identity`;

/** The parameters of the identity provider (D11); CloudFormation reads the client's secret at deployment. */
export class IdentitySettings extends Construct {
  readonly variables: Omit<Variables<typeof IdentityEnv>, 'STAGE' | 'JWKS_URI' | 'IDP_MANAGEMENT_AUDIENCE'>;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.variables = {
      ISSUER: this.#asked('Issuer', '^https://.+/$', 'Issuer of the access tokens, with its trailing slash.'),
      AUDIENCE: this.#asked('Audience', '^\\S+$', 'Audience of the access tokens: this API.'),
      IDP_CLIENT_ID: this.#asked('ClientId', '^\\S+$', "The service's own client at the identity provider."),
      IDP_CLIENT_SECRET: SecretValue.secretsManager(identitySecretName(stage), {
        jsonField: 'client_secret',
      }).unsafeUnwrap(),
      IDP_CONNECTION: this.#asked(
        'Connection',
        '^\\S+$',
        'The database connection that holds the customers.',
        'Username-Password-Authentication',
      ),
    };
  }

  #asked(name: string, allowedPattern: string, description: string, byDefault?: string): string {
    const parameter = new CfnParameter(this, name, {
      allowedPattern,
      description,
      ...(byDefault === undefined ? {} : { default: byDefault }),
    });
    parameter.overrideLogicalId(`Identity${name}`);
    return parameter.valueAsString;
  }
}
