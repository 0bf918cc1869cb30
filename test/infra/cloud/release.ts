import { describe, expect, it } from 'vitest';
import { routeGroups } from '../../../functions/routes.ts';
import { commitVariables } from '../../../infra/commit.ts';
import { textOf } from '../../support/docs.ts';
import { cloudfront, domain, stageWith } from './stages.ts';
import { type Cloud, listOf, synthesize, target } from './synthesized.ts';

interface Policy {
  PolicyDocument: { Statement: { Sid?: string; Action: string | string[]; Resource: unknown }[] };
  Roles: unknown[];
}

const called = [...routeGroups.map(({ group }) => group), 'authorizer'].sort();

const statementsOf = (cloud: Cloud, role: RegExp) =>
  cloud
    .all<Policy>('AWS::IAM::Policy')
    .filter(({ properties }) => role.test(target(properties.Roles[0]) ?? ''))
    .flatMap(({ properties }) => properties.PolicyDocument.Statement);

/** How a new version comes into use. `gradual` is deployed by GitHub Actions. */
export const releaseSentences = (atOnce: Cloud, gradual: Cloud): void => {
  describe('a release', () => {
    it('is called by an alias, never by the newest code: permissions and integrations name it', () => {
      for (const cloud of [atOnce, gradual]) {
        const aliases = cloud.all<{ Name: string }>('AWS::Lambda::Alias');
        expect(aliases.map(({ properties }) => properties.Name)).toEqual(called.map(() => 'live'));
        const ids = aliases.map(({ id }) => id).sort();
        const permissions = cloud.all<{ FunctionName: unknown }>('AWS::Lambda::Permission');
        const granted = permissions.map(({ properties }) => target(properties.FunctionName) ?? '');
        expect(granted.sort()).toEqual(ids);
      }
    });

    it('has the consumers of a new event before the API that publishes it', () => {
      for (const { app, stage } of [atOnce, gradual]) {
        const order = app.synth().stacks.map(({ stackName }) => stackName);
        const at = (what: string) => order.indexOf(`nightlatch-${stage.name}-${what}`);
        const steps = ['observability', 'data', 'events', 'api'].map(at);
        expect(steps).toEqual(steps.toSorted((one, other) => one - other));
        expect(steps).not.toContain(-1);
      }
    });

    interface Group {
      DeploymentGroupName: string;
      DeploymentConfigName: string;
      AlarmConfiguration: { Enabled: boolean; Alarms: { Name: unknown }[] };
      AutoRollbackConfiguration: { Enabled: boolean; Events: string[] };
    }

    it('of a kept stage gives a tenth of the requests to a new version, and an alarm takes them back', () => {
      const groups = gradual.all<Group>('AWS::CodeDeploy::DeploymentGroup');
      const names = groups.map(({ properties }) => properties.DeploymentGroupName).sort();
      expect(names).toEqual(called.map((name) => `nightlatch-production-${name}`));
      for (const { properties } of groups) {
        expect(properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent10Minutes');
        expect(properties.AutoRollbackConfiguration).toEqual({
          Enabled: true,
          Events: expect.arrayContaining(['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM']) as string[],
        });
        expect(properties.AlarmConfiguration.Enabled).toBe(true);
      }
      expect(atOnce.all('AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
    });

    it('is stopped by every objective within minutes, and by errors of the gateway', () => {
      const names = new Map(
        gradual
          .all<{ AlarmName: string; Period?: number }>('AWS::CloudWatch::Alarm')
          .map(({ id, properties }) => [id, properties]),
      );
      for (const { properties } of gradual.all<Group>('AWS::CodeDeploy::DeploymentGroup')) {
        const alarms = properties.AlarmConfiguration.Alarms.map(({ Name }) => names.get(target(Name) ?? ''));
        expect(alarms.map((alarm) => alarm?.AlarmName.replace('nightlatch-production-', ''))).toEqual([
          'confirm-burn-5m',
          'booking-burn-5m',
          'search-burn-5m',
          'partner-burn-5m',
          'api-server-errors',
        ]);
        // The new version has a tenth of the requests for 10 minutes: what rings later is too late.
        for (const alarm of alarms) expect(alarm?.Period).toBeLessThanOrEqual(300);
      }
    });

    it('is deployed at once while an alarm refuses a gradual one, as the runbook of each of these alarms says', () => {
      const [group] = gradual.all<Group>('AWS::CodeDeploy::DeploymentGroup');
      const stopping = group?.properties.AlarmConfiguration.Alarms.map(({ Name }) => target(Name)) ?? [];
      const alarms = gradual.all<{ AlarmName: string }>('AWS::CloudWatch::Alarm');
      for (const { properties } of alarms.filter(({ id }) => stopping.includes(id))) {
        const name = properties.AlarmName.replace(/^nightlatch-production-|-5m$/g, '');
        const runbook = textOf(`docs/runbooks/${name}.md`);
        expect(runbook).toContain('`"release": {"pace": "at_once"}`');
        expect(runbook).toContain('(../operate.md#releases)');
      }
      expect(stopping).toHaveLength(5);
    });

    it('moves the aliases through CodeDeploy', () => {
      const resources = gradual.templates['api']?.['Resources'] as Record<
        string,
        { Type: string; UpdatePolicy?: { CodeDeployLambdaAliasUpdate?: { DeploymentGroupName: unknown } } }
      >;
      const aliases = Object.values(resources).filter(({ Type }) => Type === 'AWS::Lambda::Alias');
      const groups = aliases.map(({ UpdatePolicy }) =>
        target(UpdatePolicy?.CodeDeployLambdaAliasUpdate?.DeploymentGroupName),
      );
      expect(new Set(groups).size).toBe(called.length);
      expect(groups).not.toContain(undefined);
    });

    it('lets CodeDeploy move these aliases and read these alarms, and nothing else', () => {
      const [shift, watch, ...others] = statementsOf(gradual, /^ReleaseRole/);
      expect(others).toEqual([]);
      expect(shift?.Action).toEqual([
        'lambda:GetAlias',
        'lambda:GetProvisionedConcurrencyConfig',
        'lambda:UpdateAlias',
      ]);
      const moved = listOf(shift?.Resource).map((arn) => /:function:([\w-]+)/.exec(JSON.stringify(arn))?.[1]);
      expect(moved.sort()).toEqual(called.map((name) => `nightlatch-production-${name}`));
      expect(watch?.Action).toBe('cloudwatch:DescribeAlarms');
      expect(listOf(watch?.Resource).every((arn) => target(arn) !== undefined)).toBe(true);
    });
  });

  it('names its commit to the health check, and changes no other function by it', () => {
    const named = gradual
      .all<{ FunctionName: string; Environment: { Variables: Record<string, unknown> } }>(
        'AWS::Lambda::Function',
      )
      .filter(({ properties }) => 'SERVICE_COMMIT' in properties.Environment.Variables)
      .map(({ properties }) => properties.FunctionName);
    expect(named).toEqual(
      commitVariables().SERVICE_COMMIT === undefined ? [] : ['nightlatch-production-system'],
    );
  });

  describe('the role of GitHub Actions', () => {
    interface Trust {
      AssumeRolePolicyDocument: {
        Statement: { Action: string; Condition?: object; Principal: { Federated?: unknown } }[];
      };
    }
    const trustOf = (cloud: Cloud) =>
      cloud
        .all<Trust>('AWS::IAM::Role')
        .flatMap(({ properties }) => properties.AssumeRolePolicyDocument.Statement)
        .filter(({ Principal }) => Principal.Federated !== undefined);

    it('is for one repository, in the environment of the stage', () => {
      expect(trustOf(gradual)).toEqual([
        {
          Action: 'sts:AssumeRoleWithWebIdentity',
          Effect: 'Allow',
          Principal: { Federated: expect.anything() as unknown },
          Condition: {
            StringEquals: {
              'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
              'token.actions.githubusercontent.com:sub': 'repo:example/nightlatch:environment:production',
            },
          },
        },
      ]);
    });

    const bootstrapRoles = (cloud: Cloud) => {
      const [deploy, ...others] = statementsOf(cloud, /^Role/);
      expect(others).toEqual([]);
      expect(deploy?.Action).toBe('sts:AssumeRole');
      return listOf(deploy?.Resource)
        .map((arn) => /role\/([a-z0-9-]+)/.exec(JSON.stringify(arn))?.[1])
        .sort();
    };
    const rolesIn = (...regions: string[]) =>
      ['deploy', 'file-publishing', 'lookup'].flatMap((name) =>
        regions.map((region) => `cdk-hnb659fds-${name}-role-111122223333-${region}`),
      );

    it('may take the roles of the bootstrap, and nothing else', () => {
      expect(bootstrapRoles(gradual)).toEqual(rolesIn('ap-southeast-1'));
    });

    it('may take those of us-east-1 too where the stage has CloudFront', () => {
      const release = { repository: 'example/nightlatch' };
      const edge = stageWith('edged', {
        ...{ account: '111122223333', disposable: true, release },
        domain: { ...domain, cloudfront },
      });
      expect(bootstrapRoles(synthesize(edge))).toEqual(rolesIn('ap-southeast-1', 'us-east-1'));
    });

    it('is there where a stage names its repository', () => {
      expect(trustOf(atOnce)).toEqual([]);
      expect(gradual.all('AWS::IAM::OIDCProvider')).toHaveLength(1);
    });

    it('trusts the provider that an account has', () => {
      const release = { repository: 'example/nightlatch', has_provider: true };
      const cloud = synthesize(stageWith('second', { disposable: true, release }));
      expect(cloud.all('AWS::IAM::OIDCProvider')).toEqual([]);
      expect(JSON.stringify(trustOf(cloud)[0]?.Principal)).toContain(
        'oidc-provider/token.actions.githubusercontent.com',
      );
    });
  });
};
