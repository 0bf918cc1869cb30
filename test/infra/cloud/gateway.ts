import { describe, expect, it } from 'vitest';
import { routeGroups } from '../../../functions/routes.ts';
import { callerRules } from '../../../infra/cloud/constructs/firewall.ts';
import { openMethods } from '../../../infra/cloud/constructs/open-methods.ts';
import { logQuery } from '../../../infra/operator/actor-history.ts';
import { authorizerOf } from '../../../shared/platform/http/gateway-document.ts';
import { stageWith } from './stages.ts';
import { type Cloud, target } from './synthesized.ts';

interface Operation {
  operationId?: string;
  security?: Record<string, unknown>[];
  'x-amazon-apigateway-integration': { type: string; uri: { 'Fn::Join': [string, unknown[]] } };
}
interface Body {
  paths: Record<string, Record<string, Operation>>;
}
interface StageProperties {
  AccessLogSetting: { Format: string };
  TracingEnabled: boolean;
  MethodSettings: {
    ThrottlingRateLimit?: number;
    ThrottlingBurstLimit?: number;
    HttpMethod: string;
    ResourcePath: string;
    MetricsEnabled: boolean;
  }[];
}

const rows = routeGroups.flatMap(({ group, routes }) =>
  Object.entries(routes).map(([id, route]) => ({ group, id, route })),
);

/** The route table at the gateway. */
export const gatewaySentences = (cloud: Cloud, guarded: Cloud): void => {
  const body = cloud.all<{ Body: Body }>('AWS::ApiGateway::RestApi')[0]?.properties.Body;
  const operationOf = (path: string, method: string) => body?.paths[path]?.[method.toLowerCase()];

  describe('the gateway', () => {
    it.each(rows)(
      '$route.method $route.path asks its authorizer and calls $group',
      ({ group, id, route }) => {
        const operation = operationOf(route.path, route.method);
        expect(operation?.operationId).toBe(id);
        const scheme = authorizerOf[route.access];
        expect(operation?.security).toEqual(scheme === undefined ? undefined : [{ [scheme]: [] }]);
        const parts = operation?.['x-amazon-apigateway-integration'].uri['Fn::Join'][1] ?? [];
        expect(parts.map(target)).toContainEqual(expect.stringMatching(new RegExp(`^${group}Function`)));
      },
    );

    it('has no operation beside the rows', () => {
      const operations = Object.values(body?.paths ?? {}).flatMap((methods) =>
        Object.values(methods).filter(({ operationId }) => operationId !== undefined),
      );
      const heads = rows.filter(({ route }) => route.method === 'GET');
      expect(operations).toHaveLength(rows.length + heads.length);
    });

    it('may call each group and the authorizer, and only this API may', () => {
      const permissions = cloud.all<{ Principal: string; SourceArn?: unknown }>('AWS::Lambda::Permission');
      expect(permissions).toHaveLength(routeGroups.length + 1);
      for (const { properties } of permissions) {
        expect(properties.Principal).toBe('apigateway.amazonaws.com');
        expect(JSON.stringify(properties.SourceArn)).toContain('{"Ref":"GatewayApi');
      }
    });

    it('limits every method that needs no credentials', () => {
      const { MethodSettings = [] } =
        guarded.all<StageProperties>('AWS::ApiGateway::Stage')[0]?.properties ?? {};
      const [whole, ...open] = MethodSettings;
      const named = open.map(
        ({ HttpMethod, ResourcePath }) => `${HttpMethod} ${ResourcePath.replaceAll('~1', '/')}`,
      );
      const publicRows = routeGroups
        .flatMap(({ routes }) => Object.values(routes))
        .filter(({ access }) => access === 'public')
        .map(({ method, path }) => (path === '/' ? `${method} /` : `${method} /${path}`));
      expect(named).toEqual(expect.arrayContaining([...publicRows, 'ANY //{proxy+}']));
      expect(whole?.ThrottlingRateLimit).toBe(1000);
    });

    it.each([
      [1, 60],
      [20, 60],
      [100, 200],
      [1000, 2000],
      [10_000, 10_000],
    ])('of %i requests a second and %i at once gives open methods less than half', (per_second, burst) => {
      const stage = stageWith('staging', { requests: { per_second, burst } });
      const open = Object.values(openMethods(routeGroups, stage));
      const sum = (of: 'throttlingRateLimit' | 'throttlingBurstLimit') =>
        open.reduce((all, limits) => all + (limits[of] ?? 0), 0);
      expect(sum('throttlingRateLimit')).toBeLessThan(per_second / 2);
      expect(sum('throttlingBurstLimit')).toBeLessThanOrEqual(burst / 2);
      for (const { throttlingRateLimit, throttlingBurstLimit } of open) {
        expect(throttlingRateLimit).toBeGreaterThan(0);
        expect(throttlingBurstLimit).toBeGreaterThan(0);
      }
    });

    it('leaves reports of payments a part that no other method can take, and gives them no more', () => {
      const reports = (methods: Record<string, { throttlingRateLimit?: number }>) =>
        Object.entries(methods).filter(([name]) => name.startsWith('/api/v1/payments/'));
      const stage = stageWith('staging');
      const limits = reports(openMethods(routeGroups, stage));
      expect(limits.map(([name]) => name.split('/').at(-1)).sort()).toEqual(['GET', 'HEAD', 'POST', 'POST']);
      const many = Array.from({ length: 9 }, () => routeGroups.filter(({ group }) => group === 'listings'));
      expect(reports(openMethods([...routeGroups, ...many.flat()], stage))).toEqual(limits);
      const sum = limits.reduce((all, [, { throttlingRateLimit = 0 }]) => all + throttlingRateLimit, 0);
      expect(sum).toBeGreaterThan(90);
      expect(sum).toBeLessThanOrEqual(100);
    });

    it('gives an open method a twentieth of its requests, and a HEAD no fewer than 5 a second', () => {
      const system = routeGroups.filter(({ group }) => group === 'system');
      const open = openMethods(system, stageWith('staging'));
      expect(open['/healthz/GET']?.throttlingRateLimit).toBe(50);
      expect(open['/healthz/HEAD']?.throttlingRateLimit).toBe(5);
    });

    it('limits the stage as a whole, traces it and logs each request with its id', () => {
      const stage = cloud.all<StageProperties>('AWS::ApiGateway::Stage')[0]?.properties;
      expect(stage?.TracingEnabled).toBe(true);
      expect(stage?.MethodSettings[0]).toMatchObject({ ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 });
      // Metrics of each method are paid; every alarm of the gateway reads those of the stage, which are not.
      expect(stage?.MethodSettings[0]?.MetricsEnabled).toBe(false);
      const alarms = cloud.all<{ Namespace?: string; Dimensions?: { Name: string }[] }>(
        'AWS::CloudWatch::Alarm',
      );
      const own = alarms.filter(({ properties }) => properties.Namespace === 'AWS/ApiGateway');
      expect(own.length).toBeGreaterThan(0);
      for (const { properties } of own)
        expect(properties.Dimensions?.map(({ Name }) => Name).sort()).toEqual(['ApiName', 'Stage']);
      expect(JSON.parse(stage?.AccessLogSetting.Format ?? '{}')).toMatchObject({
        request_id: '$context.requestId',
      });
    });

    it('logs the path of a request, in which nothing is secret or personal but what needs an account too', () => {
      const parameters = rows.flatMap(({ route }) => route.path.match(/\{[^}]*\}/g) ?? []);
      expect([...new Set(parameters)].filter((name) => !/_id\}$/.test(name)).sort()).toEqual([
        '{asset}',
        // Of a mail.
        '{name}',
        '{provider}',
        '{reporter}',
        // Of an invitation: who accepts it is signed in with the invited address.
        '{token}',
      ]);
    });

    it('logs everything that the query of an actor’s requests asks for', () => {
      const [stage] = cloud.all<StageProperties>('AWS::ApiGateway::Stage');
      const logged = JSON.parse(stage?.properties.AccessLogSetting.Format ?? '{}') as Record<string, string>;
      const { query, log_group } = logQuery('dev', 'key:7', { from: '2027-01-15', to: '2027-01-16' });
      const asked = (/fields (.*?) \|/.exec(query)?.[1] ?? '').split(', ');
      expect(asked).toContain('path');
      expect(Object.keys(logged)).toEqual(expect.arrayContaining(asked));
      expect(logged['caller']).toBe('$context.authorizer.principalId');
      expect(query).toContain('filter caller = "key:7"');
      const groups = cloud.all<{ LogGroupName: string }>('AWS::Logs::LogGroup');
      expect(groups.map(({ properties }) => properties.LogGroupName)).toContain(log_group);
    });

    it('answers the preflights of configured origins, and the functions behind it know them', () => {
      const opened = guarded.all<{ Body: Body }>('AWS::ApiGateway::RestApi')[0]?.properties.Body;
      const preflights = (paths: Body['paths'] = {}) =>
        Object.values(paths).filter(({ options }) => options !== undefined);
      const pathsOf = (access: string) =>
        new Set(rows.filter(({ route }) => route.access === access).map(({ route }) => route.path));
      const [ofKeys, ofPages] = [pathsOf('partner'), pathsOf('publishable')];
      expect(preflights(opened?.paths)).toHaveLength(Object.keys(opened?.paths ?? {}).length - ofKeys.size);
      // Any origin may ask what pages may send.
      const open = Object.entries(body?.paths ?? {}).filter(([, { options }]) => options !== undefined);
      expect(new Set(open.map(([path]) => path))).toEqual(ofPages);
      for (const [, { options }] of open)
        expect(JSON.stringify(options)).toMatch(/Allow-Origin = ..\*.*Allow-Headers = [^)]*X-API-Key/);
      const origins = (in_: Cloud) =>
        in_
          .all<{ Environment?: { Variables: Record<string, unknown> } }>('AWS::Lambda::Function')
          .flatMap(({ properties }) => properties.Environment?.Variables['CORS_ORIGINS'] ?? []);
      expect(origins(guarded)).toEqual(routeGroups.map(() => 'https://app.example.com'));
      expect(origins(cloud)).toEqual([]);
    });

    it('has a firewall where the operator asked for one', () => {
      expect(cloud.all('AWS::WAFv2::WebACL')).toHaveLength(0);
      expect(guarded.all('AWS::WAFv2::WebACLAssociation')).toHaveLength(1);
    });

    it('keeps credentials and queries out of the samples of that firewall', () => {
      const [acl] = guarded.all<{ DataProtectionConfig: unknown }>('AWS::WAFv2::WebACL');
      const headers = ['authorization', 'x-api-key', 'x-origin-verify'];
      expect(acl?.properties.DataProtectionConfig).toEqual({
        DataProtections: [
          { Action: 'SUBSTITUTION', Field: { FieldType: 'QUERY_STRING' } },
          { Action: 'SUBSTITUTION', Field: { FieldType: 'SINGLE_HEADER', FieldKeys: headers } },
        ],
      });
    });

    it.each([
      ['never fewer than 6,000', { RATE_LIMIT_KEY: 60 }, 6000],
      ['by default', {}, 6000],
      ['of a key that may ask more', { RATE_LIMIT_KEY: 5000 }, 50_000],
      ['where a key has no limit: what the stage takes', { RATE_LIMIT_KEY: 'off' }, 60_000],
    ])('lets one address make twice the requests of a key in 5 minutes: %s', (_, settings, limit) => {
      const stage = stageWith('staging', { settings, requests: { per_second: 200, burst: 400 } });
      expect(callerRules(stage).FloodFromOneAddress.statement).toEqual({
        rateBasedStatement: { aggregateKeyType: 'IP', limit, evaluationWindowSec: 300 },
      });
    });
  });

  it('outputs every address that the operator needs', () => {
    const outputs = Object.values(cloud.templates).flatMap((template) =>
      Object.keys(template['Outputs'] ?? {}),
    );
    expect(outputs).toEqual(
      expect.arrayContaining(['ApiUrl', 'DocsUrl', 'TableName', 'BusName', 'AlarmTopic']),
    );
  });
};
