import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { buildBoard } from '../../../infra/board/build.ts';
import { readStageFile } from '../../../infra/cloud/stage-file.ts';
import { board, boardIdentity, cloudfront, domain, leastFile, stageWith } from './stages.ts';
import { type Cloud, listOf, synthesize, target } from './synthesized.ts';

interface Statement {
  Sid?: string;
  Effect: string;
  Action: string | string[];
  Principal: { Service?: string; AWS?: unknown };
  Resource: unknown;
  Condition?: object;
}
interface DistributionProperties {
  DistributionConfig: Record<string, unknown> & {
    Aliases: string[];
    DefaultCacheBehavior: Record<string, unknown>;
    CacheBehaviors: Record<string, unknown>[];
    Origins: Record<string, unknown>[];
    ViewerCertificate: object;
  };
}
interface HeadersProperties {
  ResponseHeadersPolicyConfig: {
    SecurityHeadersConfig: Record<string, Record<string, unknown>>;
    CustomHeadersConfig: { Items: { Header: string; Value: string }[] };
  };
}
interface Copy {
  SourceObjectKeys: string[];
  SourceMarkers?: Record<string, unknown>[];
  SystemMetadata: Record<string, string>;
  Prune: boolean;
}

const only = <Properties>(cloud: Cloud, type: string) => {
  const [found, ...others] = cloud.all<Properties>(type).filter(({ stack }) => stack === 'board');
  expect(others).toEqual([]);
  return found!;
};

/** The files of an asset, or the text of its only file. */
const assetOf = (cloud: Cloud, key: string): string =>
  join(cloud.app.outdir, `asset.${key.replace(/\.zip$/, '')}`);

/** Of the board, or of the page for guests. */
const headersOf = (cloud: Cloud, start: 'Headers' | 'StayHeaders' = 'Headers') =>
  cloud
    .all<HeadersProperties>('AWS::CloudFront::ResponseHeadersPolicy')
    .find(({ stack, id }) => stack === 'board' && id.startsWith(start))!.properties
    .ResponseHeadersPolicyConfig;
const policyOf = (cloud: Cloud) => headersOf(cloud).SecurityHeadersConfig;

/** What a reference of a template becomes, with the names of what is not known before. */
const written = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const { 'Fn::Join': join, ...other } = value as { 'Fn::Join'?: [string, unknown[]] };
  if (join) return join[1].map(written).join(join[0]);
  return `<${
    JSON.stringify(other)
      .match(/Gateway\w+|URLSuffix/)?.[0]
      .replace(/[0-9A-F]{16,}$/, '') ?? ''
  }>`;
};

/** The board, where a stage asks for it. */
export const boardSentences = (cloud: Cloud, without: Cloud): void => {
  const copies = cloud.all<Copy>('Custom::CDKBucketDeployment');
  const distribution = only<DistributionProperties>(cloud, 'AWS::CloudFront::Distribution').properties
    .DistributionConfig;

  // The least that a stage with the board has: its API has the gateway's address.
  const bare = synthesize(stageWith('bare', { disposable: true, identity: boardIdentity, board }));

  describe('the board', () => {
    it('is there where the stage asks for it, in the region of the stage, after the API that it calls', () => {
      expect(without.templates).not.toHaveProperty('board');
      const { stacks } = cloud.app.synth();
      const names = stacks.map(({ stackName }) => stackName.replace('nightlatch-hosted-', ''));
      expect(names.indexOf('board')).toBeGreaterThan(names.indexOf('api'));
      const stack = stacks.find(({ stackName }) => stackName.endsWith('-board'));
      expect(stack?.environment.region).toBe('ap-southeast-1');
      expect(stack?.dependencies.map(({ id }) => id)).toContain('nightlatch-hosted-api');
    });

    it('has a name of its own over TLS 1.2 or newer, HTTP/3 and IPv6', () => {
      expect(distribution).toMatchObject({
        Aliases: ['board.example.com'],
        DefaultRootObject: 'index.html',
        HttpVersion: 'http2and3',
        IPV6Enabled: true,
        ViewerCertificate: {
          AcmCertificateArn: board.certificate_arn,
          MinimumProtocolVersion: 'TLSv1.2_2021',
        },
      });
      expect(distribution.DefaultCacheBehavior).toMatchObject({
        Compress: true,
        ViewerProtocolPolicy: 'redirect-to-https',
      });
      const records = cloud.all<{ Name: string; Type: string }>('AWS::Route53::RecordSet');
      expect(records.map(({ stack, properties: { Name, Type } }) => `${stack} ${Type} ${Name}`)).toEqual([
        'board A board.example.com.',
        'board AAAA board.example.com.',
      ]);
    });

    it('has files that CloudFront alone may read', () => {
      const bucket = only<Record<string, unknown>>(cloud, 'AWS::S3::Bucket');
      expect(bucket.properties['PublicAccessBlockConfiguration']).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
      expect(bucket.properties['BucketEncryption']).toBeDefined();
      const { Statement } = only<{ PolicyDocument: { Statement: Statement[] } }>(
        cloud,
        'AWS::S3::BucketPolicy',
      ).properties.PolicyDocument;
      const [insecure, read, ...others] = Statement;
      expect(others).toEqual([]);
      expect(insecure).toMatchObject({
        Effect: 'Deny',
        Action: 's3:*',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      });
      expect(read).toMatchObject({
        Effect: 'Allow',
        Action: 's3:GetObject',
        Principal: { Service: 'cloudfront.amazonaws.com' },
      });
      expect(JSON.stringify(read?.Condition)).toMatch(/AWS:SourceArn.*:distribution\/.*Distribution/);
      const [origin, ...more] = distribution.Origins;
      expect(more).toEqual([]);
      expect(target(origin?.['OriginAccessControlId'])).toMatch(/OriginAccessControl/);
      expect(origin?.['DomainName']).toEqual({ 'Fn::GetAtt': [bucket.id, 'RegionalDomainName'] });
    });

    it('keeps its bucket where the stage keeps its data; a disposable stage empties and removes it', () => {
      expect(only(cloud, 'AWS::S3::Bucket').deletionPolicy).toBe('Retain');
      expect(cloud.all('Custom::S3AutoDeleteObjects')).toEqual([]);
      expect(only(bare, 'AWS::S3::Bucket').deletionPolicy).toBe('Delete');
      expect(bare.all('Custom::S3AutoDeleteObjects')).toHaveLength(1);
    });

    it('may talk to the API and the identity provider alone, and no other site may frame it', () => {
      const { ContentSecurityPolicy, ...others } = policyOf(cloud);
      const policy = String(ContentSecurityPolicy?.['ContentSecurityPolicy']).split('; ');
      expect(policy).toContain("connect-src 'self' https://api.example.com https://identity.example.com");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy.join(' ').match(/https?:[^ ;]*/g)).toHaveLength(2);
      expect(policy.join(' ')).not.toMatch(/unsafe|\*/);
      expect(others).toEqual({
        ContentTypeOptions: { Override: true },
        ReferrerPolicy: { Override: true, ReferrerPolicy: 'no-referrer' },
        StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
      });
      expect(target(distribution.DefaultCacheBehavior['ResponseHeadersPolicyId'])).toMatch(/^Headers/);
    });

    it('has the page for guests below /stay/, whose files pages of hosts may load', () => {
      const [stays, ...others] = distribution.CacheBehaviors;
      expect(others).toEqual([]);
      expect(stays).toMatchObject({ PathPattern: '/stay/*', ViewerProtocolPolicy: 'redirect-to-https' });
      expect(target(stays?.['ResponseHeadersPolicyId'])).toMatch(/^StayHeaders/);
      const { SecurityHeadersConfig: security, CustomHeadersConfig: custom } = headersOf(
        cloud,
        'StayHeaders',
      );
      const policy = String(security['ContentSecurityPolicy']?.['ContentSecurityPolicy']).split('; ');
      expect(policy).toContain("connect-src 'self' https://api.example.com https://identity.example.com");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(custom.Items).toContainEqual(
        expect.objectContaining({ Header: 'Cross-Origin-Resource-Policy', Value: 'cross-origin' }),
      );
      const { FunctionCode } = only<{ FunctionCode: string }>(cloud, 'AWS::CloudFront::Function').properties;
      const served = (uri: string): unknown =>
        runInNewContext(`${FunctionCode}; handler({ request: { uri } }).uri`, { uri });
      expect(served('/stay/')).toBe('/stay/index.html');
      expect(served('/stay/embed.js')).toBe('/stay/embed.js');
    });

    it("without a name of the API may talk to the gateway's address, whose path a source must not have", () => {
      const policy = written(policyOf(bare)['ContentSecurityPolicy']?.['ContentSecurityPolicy']);
      expect(policy).toContain(
        "connect-src 'self' https://<GatewayApi>.execute-api.ap-southeast-1.<URLSuffix> https://identity.example.com;",
      );
    });

    it('is read from caches as long as its files say, whatever the query is', () => {
      const { CachePolicyConfig } = only<{ CachePolicyConfig: object }>(
        cloud,
        'AWS::CloudFront::CachePolicy',
      ).properties;
      expect(CachePolicyConfig).toMatchObject({
        MinTTL: 0,
        DefaultTTL: 0,
        MaxTTL: 31_536_000,
        ParametersInCacheKeyAndForwardedToOrigin: {
          CookiesConfig: { CookieBehavior: 'none' },
          EnableAcceptEncodingBrotli: true,
          HeadersConfig: { HeaderBehavior: 'none' },
          QueryStringsConfig: { QueryStringBehavior: 'none' },
        },
      });
      expect(distribution.DefaultCacheBehavior).not.toHaveProperty('OriginRequestPolicyId');
    });

    it('answers 404 for an unknown name, with a page of its own', () => {
      expect(distribution['CustomErrorResponses']).toEqual([
        { ErrorCachingMinTTL: 10, ErrorCode: 403, ResponseCode: 404, ResponsePagePath: '/404.html' },
      ]);
    });

    it('is every file that was built, each kept as long as it says; the page comes after what it names', async () => {
      const [hashed, named, ...others] = copies;
      expect(others).toEqual([]);
      const kept = new Map(
        [hashed, named].flatMap((copy) =>
          (copy?.properties.SourceObjectKeys ?? []).flatMap((key) =>
            readdirSync(assetOf(cloud, key), { recursive: true, withFileTypes: true })
              .filter((file) => file.isFile())
              .map(({ parentPath, name }) => relative(assetOf(cloud, key), join(parentPath, name)))
              .map((name) => [name, copy?.properties.SystemMetadata['cache-control']] as const),
          ),
        ),
      );
      const built = new Map([...(await buildBoard())].map(([name, file]) => [name, file.cacheControl]));
      for (const name of ['config.json', 'stay/config.json', '404.html']) built.set(name, 'no-cache');
      expect(kept).toEqual(built);
      const resources = cloud.templates['board']?.['Resources'] as Record<string, { DependsOn?: string[] }>;
      expect(resources[named?.id ?? '']?.DependsOn).toContain(hashed?.id);
    });

    it('keeps the files of earlier versions, which an open tab may still ask for', () => {
      for (const { properties } of copies) expect(properties.Prune).toBe(false);
    });

    const sourceOf = (of: Cloud, name: string): { text: string; markers: Record<string, unknown> } => {
      const { SourceObjectKeys, SourceMarkers } = of.all<Copy>('Custom::CDKBucketDeployment')[1]!.properties;
      const at = SourceObjectKeys.findIndex((key) => existsSync(join(assetOf(of, key), name)));
      const text = readFileSync(join(assetOf(of, SourceObjectKeys[at] ?? ''), name), 'utf8');
      return { text, markers: SourceMarkers?.[at] ?? {} };
    };
    const filled = ({ text, markers }: ReturnType<typeof sourceOf>): string =>
      Object.entries(markers).reduce((all, [marker, value]) => all.replaceAll(marker, written(value)), text);

    it('reads where API and identity provider are from its configuration', () => {
      const at = {
        api_url: 'https://api.example.com',
        issuer: 'https://identity.example.com/',
        audience: 'https://api.example.com',
      };
      expect(JSON.parse(sourceOf(cloud, 'config.json').text)).toEqual({ ...at, client_id: 'pages' });
      expect(JSON.parse(sourceOf(cloud, 'stay/config.json').text)).toEqual({ ...at, client_id: 'guests' });
      const gateway =
        'https://<GatewayApi>.execute-api.ap-southeast-1.<URLSuffix>/<GatewayApiDeploymentStagebare>';
      expect(JSON.parse(filled(sourceOf(bare, 'config.json')))).toMatchObject({ api_url: gateway });
      expect(JSON.parse(filled(sourceOf(bare, 'stay/config.json')))).toMatchObject({ client_id: '' });
      expect(sourceOf(cloud, 'stay/embed.js').text).toContain('"https://api.example.com"');
      expect(filled(sourceOf(bare, 'stay/embed.js'))).toContain(`"${gateway}"`);
    });

    it('has a function that puts files, while it is deployed, and may do nothing else', () => {
      const [copier, ...others] = cloud
        .all<{ Role: unknown; LoggingConfig: { LogGroup: unknown } }>('AWS::Lambda::Function')
        .filter(({ stack }) => stack === 'board');
      expect(others).toEqual([]);
      const log = only<{ RetentionInDays: number }>(cloud, 'AWS::Logs::LogGroup');
      expect(target(copier?.properties.LoggingConfig.LogGroup)).toBe(log.id);
      expect(log.properties.RetentionInDays).toBe(cloud.stage.logs.days);
      const role = only<{ Policies: { PolicyDocument: { Statement: Statement[] } }[] }>(
        cloud,
        'AWS::IAM::Role',
      );
      expect(target(copier?.properties.Role)).toBe(role.id);
      expect(role.properties).not.toHaveProperty('ManagedPolicyArns');
      const inline = role.properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
      const { PolicyDocument } = only<{ PolicyDocument: { Statement: Statement[] } }>(
        cloud,
        'AWS::IAM::Policy',
      ).properties;
      expect([...inline, ...PolicyDocument.Statement].flatMap(({ Action }) => listOf(Action)).sort()).toEqual(
        ['logs:CreateLogStream', 'logs:PutLogEvents', 's3:GetObject', 's3:ListBucket', 's3:PutObject'],
      );
      expect(inline[0]?.Resource).toBe('arn:aws:s3:::cdk-hnb659fds-assets-111122223333-ap-southeast-1/*.zip');
    });

    it('may call the API, without being one of the listed origins', () => {
      const origins = (of: Cloud) =>
        of
          .all<{ Environment: { Variables: Record<string, unknown> } }>('AWS::Lambda::Function')
          .filter(({ stack }) => stack === 'api')
          .flatMap(({ properties }) => properties.Environment.Variables['CORS_ORIGINS'] ?? []);
      expect(new Set(origins(cloud))).toEqual(new Set(['https://app.example.com,https://board.example.com']));
      expect(new Set(origins(bare))).toEqual(new Set(['https://board.example.com']));
      expect(JSON.stringify(cloud.templates['api'])).toContain('https://board.example.com');
      const both = stageWith('both', {
        identity: boardIdentity,
        board,
        cors_origins: ['https://board.example.com'],
      });
      expect(both.origins.listed).toEqual(['https://board.example.com']);
    });

    it('without a zone says where its name must point to', () => {
      expect(Object.keys(bare.templates['board']?.['Outputs'] ?? {})).toEqual(['BoardTarget', 'BoardUrl']);
    });

    it.each([
      [
        'a certificate of another region',
        { board: { ...board, certificate_arn: domain.certificate_arn } },
        /board\.certificate_arn: must be in us-east-1, the region of CloudFront/,
      ],
      [
        'the name of the API',
        { domain: { ...domain, name: board.name } },
        /board\.name: must be another name/,
      ],
      [
        'the name of the gateway',
        { domain: { ...domain, cloudfront: { ...cloudfront, origin_name: board.name } } },
        /board\.name: must be another name/,
      ],
      [
        'a name with a path',
        { board: { ...board, name: 'example.com/board' } },
        /board\.name: must be a name such as board\.example\.com/,
      ],
      [
        'no client that signs hosts in',
        { identity: leastFile.identity },
        /identity\.pages_client_id: is required: the board/,
      ],
    ])('refuses %s', (_, fields, message) => {
      const file = { ...leastFile, identity: boardIdentity, board, ...fields };
      expect(() => readStageFile('stages/x.json', JSON.stringify(file))).toThrow(message);
    });
  });
};
