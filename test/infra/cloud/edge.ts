import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { routeGroups } from '../../../functions/routes.ts';
import { readStageFile } from '../../../infra/cloud/stage-file.ts';
import { openPaths } from '../../../infra/cloud/stacks/edge-stack.ts';
import { cloudfront, domain, leastFile, stageWith } from './stages.ts';
import { type Cloud, synthesize, target } from './synthesized.ts';

interface Behavior {
  PathPattern?: string;
  CachePolicyId: unknown;
  OriginRequestPolicyId: string;
  ViewerProtocolPolicy: string;
  AllowedMethods: string[];
  FunctionAssociations?: { EventType: string; FunctionARN: unknown }[];
}
interface DistributionProperties {
  DistributionConfig: {
    Aliases: string[];
    CacheBehaviors: Behavior[];
    DefaultCacheBehavior: Behavior;
    Origins: {
      DomainName: string;
      CustomOriginConfig: { OriginProtocolPolicy: string };
      OriginCustomHeaders: { HeaderName: string; HeaderValue: string }[];
    }[];
    ViewerCertificate: { MinimumProtocolVersion: string };
    WebACLId?: unknown;
  };
}

const version = cloudfront.secret_version;
const secretText = (region: string, field: string): string =>
  `{{resolve:secretsmanager:${cloudfront.secret_arn.replace('ap-southeast-1', region)}:SecretString:${field}::${version}}}`;

/** CloudFront before the gateway, where a stage asks for it. */
export const edgeSentences = (edge: Cloud, without: Cloud): void => {
  const { DistributionConfig: distribution } =
    edge.all<DistributionProperties>('AWS::CloudFront::Distribution')[0]?.properties ??
    ({} as DistributionProperties);

  describe('CloudFront', () => {
    it('is there where the stage asks for it, in its own region', () => {
      expect(without.all('AWS::CloudFront::Distribution')).toEqual([]);
      const { environment } = edge.app.synth().getStackByName('nightlatch-edge-edge');
      expect(environment.region).toBe('us-east-1');
    });

    it('has the name of the API; the gateway has that of the origin, and links are to the API', () => {
      expect(distribution.Aliases).toEqual(['api.example.com']);
      expect(distribution.ViewerCertificate.MinimumProtocolVersion).toBe('TLSv1.2_2021');
      const names = edge.all<{ DomainName: string }>('AWS::ApiGateway::DomainName');
      expect(names.map(({ properties }) => properties.DomainName)).toEqual(['origin.api.example.com']);
      const records = edge.all<{ Name: string; Type: string }>('AWS::Route53::RecordSet');
      const recorded = records.map(({ stack, properties: { Name, Type } }) => `${stack} ${Type} ${Name}`);
      expect(recorded.sort()).toEqual([
        'api A origin.api.example.com.',
        'api AAAA origin.api.example.com.',
        'edge A api.example.com.',
        'edge AAAA api.example.com.',
      ]);
      const urls = edge
        .all<{ Environment: { Variables: Record<string, unknown> } }>('AWS::Lambda::Function')
        .flatMap(({ properties }) => properties.Environment.Variables['API_URL'] ?? []);
      expect(new Set(urls)).toEqual(new Set(['https://api.example.com']));
    });

    it('calls the gateway over TLS with the secret of this region, of the version in the stage file', () => {
      const [origin, ...others] = distribution.Origins;
      expect(others).toEqual([]);
      expect(origin).toMatchObject({
        DomainName: 'origin.api.example.com',
        CustomOriginConfig: { OriginProtocolPolicy: 'https-only' },
        OriginCustomHeaders: [
          { HeaderName: 'X-Origin-Verify', HeaderValue: secretText('us-east-1', 'current') },
        ],
      });
    });

    it('passes every other request as it is, with the address of its viewer and the whole path', () => {
      const passing = distribution.DefaultCacheBehavior;
      expect(passing.AllowedMethods).toContain('DELETE');
      expect(passing.ViewerProtocolPolicy).toBe('https-only');
      // Managed policies: CachingDisabled, AllViewerExceptHostHeader.
      expect(passing.CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad');
      expect(passing.OriginRequestPolicyId).toBe('b689b0a8-53d0-40ab-baf2-68738e2966ac');
      expect(passing.FunctionAssociations?.map(({ EventType }) => EventType)).toEqual(['viewer-request']);
    });

    it('replaces an address that a viewer claims to have', () => {
      const [code] = edge
        .all<{ FunctionCode: string }>('AWS::CloudFront::Function')
        .map(({ properties }) => properties.FunctionCode);
      const claimed = { 'x-viewer-address': { value: '198.51.100.9' }, accept: { value: '*/*' } };
      const event = { viewer: { ip: '203.0.113.7' }, request: { headers: claimed } };
      const sent = runInNewContext(`${code ?? ''}; handler(event)`, { event }) as typeof event.request;
      expect(sent.headers).toEqual({
        'x-viewer-address': { value: '203.0.113.7' },
        accept: { value: '*/*' },
      });
    });

    it('keeps answers that are open to everyone as long as they say, and no others', () => {
      const kept = distribution.CacheBehaviors.map(({ PathPattern }) => PathPattern);
      expect(kept).toEqual(openPaths(routeGroups));
      expect(kept).toEqual(
        expect.arrayContaining([
          '/docs/*',
          '/openapi.json',
          '/api/v1/listings/*/calendar.ics',
          '/api/v1/catalogs',
        ]),
      );
      expect(kept.join(' ')).not.toContain('payments');
      // A pattern must not reach a path that needs credentials: its answers would be given to others.
      const guarded = routeGroups
        .flatMap(({ routes }) => Object.values(routes))
        .filter(({ access }) => access !== 'public')
        .map(({ path }) => path.replace(/\{\w+\}/g, '17'));
      for (const pattern of kept) {
        const reached = new RegExp(`^${(pattern ?? '').replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
        expect(guarded.filter((path) => reached.test(path))).toEqual([]);
      }
      const [policy] = edge.all<{ CachePolicyConfig: object }>('AWS::CloudFront::CachePolicy');
      expect(policy?.properties.CachePolicyConfig).toMatchObject({
        MinTTL: 0,
        DefaultTTL: 0,
        MaxTTL: 86_400,
        ParametersInCacheKeyAndForwardedToOrigin: {
          CookiesConfig: { CookieBehavior: 'none' },
          HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Origin'] },
          QueryStringsConfig: { QueryStringBehavior: 'all' },
        },
      });
    });

    it('has the firewall of callers; that of the gateway refuses what CloudFront has not sent', () => {
      const acls = edge.all<{
        Scope: string;
        Rules: { Name: string; Action?: object; Statement: object }[];
      }>('AWS::WAFv2::WebACL');
      const rules = Object.fromEntries(
        acls.map(({ properties }) => [properties.Scope, properties.Rules.map(({ Name }) => Name)]),
      );
      expect(rules).toEqual({
        CLOUDFRONT: ['AmazonIpReputationList', 'KnownBadInputsRuleSet', 'FloodFromOneAddress'],
        REGIONAL: ['NotFromCloudFront'],
      });
      const own = acls.find(({ properties }) => properties.Scope === 'REGIONAL')?.properties.Rules[0];
      expect(own?.Action).toEqual({ Block: {} });
      const texts = JSON.stringify(own?.Statement).match(/\{\{resolve:[^}]+\}\}/g);
      expect(texts).toEqual(['current', 'previous'].map((field) => secretText('ap-southeast-1', field)));
      expect(target(distribution.WebACLId)).toMatch(/^Firewall/);
    });

    it('names the secret to those who ask for the address of a caller, and has the gateway remember callers by viewer', () => {
      const readers = edge
        .all<{ FunctionName: string; Environment: { Variables: Record<string, unknown> } }>(
          'AWS::Lambda::Function',
        )
        .filter(({ properties }) => properties.Environment.Variables['EDGE_SECRET_ARN'] !== undefined);
      expect(readers.map(({ properties }) => properties.FunctionName)).toEqual([
        'nightlatch-edge-stay',
        'nightlatch-edge-authorizer',
      ]);
      const sourceOf = (cloud: Cloud) =>
        /"identitySource":"(method\.request\.header\.X-API-Key[^"]*)"/.exec(
          JSON.stringify(cloud.templates['api']),
        )?.[1];
      const known = 'method.request.header.X-API-Key, context.identity.sourceIp';
      expect(sourceOf(edge)).toBe(
        `${known}, method.request.header.X-Viewer-Address, method.request.header.X-Origin-Verify`,
      );
      expect(sourceOf(without)).toBe(known);
    });

    it('keeps its log as long as the stage keeps logs', () => {
      const [bucket] = edge.all<{ LifecycleConfiguration: { Rules: { ExpirationInDays: number }[] } }>(
        'AWS::S3::Bucket',
      );
      expect(bucket?.properties.LifecycleConfiguration.Rules[0]?.ExpirationInDays).toBe(edge.stage.logs.days);
      const [destination] = edge.all<{ DestinationResourceArn: unknown }>('AWS::Logs::DeliveryDestination');
      expect(JSON.stringify(destination?.properties.DestinationResourceArn)).toContain(bucket?.id);
      const [source] = edge.all<{ ResourceArn: unknown }>('AWS::Logs::DeliverySource');
      expect(JSON.stringify(source?.properties.ResourceArn)).toContain('distribution/');
    });

    it('logs no queries, which have the secrets of calendars, no cookies and no referrers', () => {
      const [delivery] = edge.all<{ RecordFields: string[] }>('AWS::Logs::Delivery');
      const { RecordFields } = delivery!.properties;
      expect(RecordFields).toContain('cs-uri-stem');
      expect(RecordFields.filter((field) => /query|cookie|referer/i.test(field))).toEqual([]);
      expect(distribution).not.toHaveProperty('Logging');
    });

    it('without a zone says where both names must point to', () => {
      const cloud = synthesize(stageWith('edgy', { disposable: true, domain: { ...domain, cloudfront } }));
      expect(Object.keys(cloud.templates['edge']?.['Outputs'] ?? {})).toEqual(['DomainTarget']);
      expect(Object.keys(cloud.templates['api']?.['Outputs'] ?? {})).toContain('OriginTarget');
      expect(cloud.all('AWS::WAFv2::WebACL')).toEqual([]);
    });

    it.each([
      ['certificate_arn', domain.certificate_arn, /certificate_arn: must be in us-east-1/],
      [
        'secret_arn',
        cloudfront.secret_arn.replace('ap-southeast-1', 'us-east-1'),
        /secret_arn: must be in ap-southeast-1/,
      ],
      ['secret_version', 'newest', /secret_version: must be the id of a version/],
    ])('refuses a wrong %s', (field, value, message) => {
      const file = { ...leastFile, domain: { ...domain, cloudfront: { ...cloudfront, [field]: value } } };
      expect(() => readStageFile('stages/x.json', JSON.stringify(file))).toThrow(message);
    });
  });
};
