import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { RouteGroup } from '../../../shared/platform/http/route.ts';
import { commitVariables } from '../../commit.ts';
import { Canary } from '../constructs/canary.ts';
import { GradualRelease } from '../constructs/gradual-release.ts';
import { Gateway } from '../constructs/gateway.ts';
import { OwnDomain } from '../constructs/own-domain.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import {
  addressVariables,
  edgeVariables,
  guestVariables,
  hostVariables,
  identityVariables,
  paymentVariables,
  serviceVariables,
  settingVariables,
} from '../environment.ts';
import { grantOf } from '../grants.ts';
import type { Stage } from '../stage.ts';

interface ApiStackProps extends StackProps {
  stage: Stage;
  groups: readonly RouteGroup[];
  dataKeys: readonly IKey[];
}

/** What must answer while others are flooded has instances of its own, if the stage says so. */
const reservedFor = (folder: string, { concurrency }: Stage): number | undefined => {
  if (folder === 'authorizer') return concurrency.authorizer;
  return folder === 'payments' ? concurrency.payments : undefined;
};

/** The gateway, its authorizer, one function for each group of routes, and the canary that calls them. */
export class ApiStack extends Stack {
  /** The address of the API, with a slash at the end. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { stage, groups, dataKeys } = props;
    const serviceFunction = (folder: string, description: string, timeoutSeconds: number) =>
      new ServiceFunction(this, folder, {
        stage,
        folder,
        dataKeys,
        description,
        environment: {
          ...serviceVariables(stage, folder),
          ...(folder === 'authorizer' ? {} : { ...settingVariables(stage), ...addressVariables(stage) }),
          ...(grantOf(folder).identity ? identityVariables(stage) : {}),
          ...(folder === 'system' ? commitVariables() : {}),
          ...(folder === 'authorizer' ? hostVariables(stage) : {}),
          ...(folder === 'stay' ? guestVariables(stage) : {}),
          ...(grantOf(folder).edge ? edgeVariables(stage) : {}),
          ...(grantOf(folder).payments ? paymentVariables(stage) : {}),
        },
        timeout: Duration.seconds(timeoutSeconds),
        reservedConcurrency: reservedFor(folder, stage),
      }).function;
    const aliases = new Map([
      ...groups.map(({ group, routes }) => {
        const description = `${Object.keys(routes).length} operations of the API.`;
        return [group, serviceFunction(group, description, 28).addAlias('live')] as const;
      }),
      [
        'authorizer',
        serviceFunction('authorizer', 'Says who is calling: API key or access token.', 10).addAlias('live'),
      ],
    ]);
    const { api, releaseAlarms } = new Gateway(this, 'Gateway', {
      stage,
      groups,
      calledFor: (folder) => {
        const found = aliases.get(folder);
        if (!found) throw new Error(`No function for the group ${folder}.`);
        return found;
      },
    });
    if (stage.release.pace === 'gradual')
      new GradualRelease(this, 'Release', { stage, aliases, alarms: releaseAlarms });
    if (stage.domain) new OwnDomain(this, 'Domain', { domain: stage.domain, api });
    this.url = stage.domain ? `https://${stage.domain.name}/` : api.url;
    if (stage.canary)
      new Canary(this, 'Canary', {
        stage,
        canary: stage.canary,
        url: addressVariables(stage)['API_URL'] ?? this.url,
      });
    new CfnOutput(this, 'ApiUrl', { value: this.url, description: 'The address of the API.' });
    new CfnOutput(this, 'DocsUrl', {
      value: `${this.url}docs`,
      description: 'The documentation of the API.',
    });
  }
}
