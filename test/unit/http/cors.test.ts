import { describe, expect, it } from 'vitest';
import { routeGroups } from '../../../functions/routes.ts';
import { allowedOrigins, corsHeaders } from '../../../shared/platform/http/cors.ts';
import type { Access } from '../../../shared/platform/http/route.ts';
import { gatewayDocument } from '../../../shared/platform/http/gateway-document.ts';
import { renderTemplate } from '../../support/mapping-template.ts';

const origins = (text: string, STAGE = 'staging') => allowedOrigins({ CORS_ORIGINS: text, STAGE });
const granted = (text: string, origin: string, stage?: string) =>
  corsHeaders(origins(text, stage), origin)['Access-Control-Allow-Origin'];

describe('the allowed origins', () => {
  it('are those of the setting, to the letter', () => {
    const text = 'https://app.example.com, http://localhost:5173';
    for (const origin of ['https://app.example.com', 'http://localhost:5173'])
      expect(granted(text, origin)).toBe(origin);
    for (const origin of [
      'http://app.example.com',
      'https://app.example.com:444',
      'https://app.example.com.evil.example',
      'https://xapp.example.com',
      'http://localhost:5174',
      'null',
      '',
    ])
      expect(granted(text, origin)).toBeUndefined();
  });

  it('are any of the machine itself on a laptop', () => {
    for (const origin of [
      'http://localhost',
      'http://localhost:3000',
      'http://127.0.0.1:4000',
      'http://[::1]:80',
    ])
      expect([granted('', origin, 'local'), granted('', origin)]).toEqual([origin, undefined]);
    for (const origin of ['http://localhost.evil.example', 'http://192.168.1.2:3000', 'null'])
      expect(granted('', origin, 'local')).toBeUndefined();
    expect(granted('https://app.example.com', 'https://app.example.com', 'local')).toBe(
      'https://app.example.com',
    );
  });

  it.each([
    '*',
    'app.example.com',
    'http://app.example.com',
    'https://app.example.com/',
    'https://*.example.com',
    'https://a"b',
  ])('are not %s', (text) => {
    expect(() => origins(text)).toThrow('CORS_ORIGINS: must be origins such as https://app.example.com');
  });

  it('are none unless configured, and nothing is answered about them', () => {
    expect(corsHeaders(origins(''), 'https://app.example.com')).toEqual({});
  });

  it('never allow credentials', () => {
    const headers = corsHeaders(origins('https://app.example.com'), 'https://app.example.com');
    expect(Object.keys(headers)).not.toContain('Access-Control-Allow-Credentials');
  });
});

interface Mock {
  type: string;
  responses: {
    default: { statusCode: string; responseParameters: object; responseTemplates: Record<string, string> };
  };
}
interface Operation {
  security?: object[];
  responses: Record<string, { headers?: object }>;
  'x-amazon-apigateway-integration': Mock;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  'x-amazon-apigateway-gateway-responses': Record<string, { responseParameters: Record<string, string> }>;
}

const documentFor = (text: string) =>
  gatewayDocument({
    groups: routeGroups,
    integrationUri: (group) => `arn:function:${group}`,
    unknownPathGroup: 'system',
    authorizerUri: 'arn:function:authorizer',
    origins: origins(text),
    title: 'nightlatch-test',
    version: '0.0.0',
  }) as unknown as Document;

describe('the gateway document with several origins', () => {
  const document = documentFor('https://app.example.com,https://desk.example.com');
  const pathsOf = (wanted: Access) =>
    new Set(
      routeGroups.flatMap(({ routes }) =>
        Object.values(routes)
          .filter(({ access }) => access === wanted)
          .map(({ path }): string => path),
      ),
    );
  const [keyPaths, pagePaths] = [pathsOf('partner'), pathsOf('publishable')];
  const paths = Object.entries(document.paths);

  it.each(paths.filter(([path]) => pagePaths.has(path)))(
    'lets any origin pass the preflight of %s, which is one of pages',
    (_, { options }) => {
      expect(options).not.toHaveProperty('security');
      const { type, responses } = options!['x-amazon-apigateway-integration'];
      expect([type, responses.default.statusCode]).toEqual(['mock', '204']);
      const template = responses.default.responseTemplates['application/json']!;
      const { headers, body } = renderTemplate(template, { Origin: 'https://evil.example' });
      expect(body.trim()).toBe('');
      expect(headers).toMatchObject({
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Headers': expect.stringContaining('X-API-Key') as string,
      });
      expect(Object.keys(options!.responses['204']!.headers!)).toEqual(
        expect.arrayContaining(Object.keys(headers)),
      );
    },
  );

  it.each(paths.filter(([path]) => !keyPaths.has(path) && !pagePaths.has(path)))(
    'answers preflights of %s without authorizer or function',
    (_, operations) => {
      const { options } = operations;
      expect(options).not.toHaveProperty('security');
      const mock = options!['x-amazon-apigateway-integration'];
      expect(mock).toMatchObject({ type: 'mock', responses: { default: { statusCode: '204' } } });
      const template = mock.responses.default.responseTemplates['application/json']!;
      for (const name of ['Origin', 'origin']) {
        const { headers, body } = renderTemplate(template, { [name]: 'https://desk.example.com' });
        expect(headers['Access-Control-Allow-Origin']).toBe('https://desk.example.com');
        expect(headers['Access-Control-Allow-Headers']).toContain('X-Team-ID');
        expect(body.trim()).toBe('');
        // API Gateway drops headers that the method does not declare.
        expect(Object.keys(options!.responses['204']!.headers!)).toEqual(
          expect.arrayContaining(Object.keys(headers)),
        );
        for (const method of Object.keys(operations).filter((each) =>
          /^(get|put|post|patch|delete)$/.test(each),
        ))
          expect(headers['Access-Control-Allow-Methods']!.split(', ')).toContain(method.toUpperCase());
      }
      for (const sent of [{ Origin: 'https://evil.example' }, {}])
        expect(renderTemplate(template, sent).headers).toEqual({});
      expect(mock.responses.default.responseParameters).toEqual({
        'method.response.header.X-Request-Id': 'context.requestId',
        'method.response.header.X-Content-Type-Options': "'nosniff'",
        'method.response.header.Strict-Transport-Security': "'max-age=31536000'",
        'method.response.header.Vary': "'Origin'",
      });
    },
  );

  it('shows them that a method is wrong', () => {
    for (const [path, operations] of paths) {
      const mock = operations['x-amazon-apigateway-any-method']!['x-amazon-apigateway-integration'];
      if (mock.type !== 'mock') continue;
      const template = mock.responses.default.responseTemplates['application/json']!;
      const { headers, body } = renderTemplate(template, { origin: 'https://app.example.com' });
      expect(JSON.parse(body)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
      expect(headers['Access-Control-Allow-Origin']).toBe(
        keyPaths.has(path) ? undefined : 'https://app.example.com',
      );
    }
  });

  it('has no preflight for an API key', () => {
    expect(keyPaths.size).toBeGreaterThan(10);
    for (const path of keyPaths) expect(document.paths[path]).not.toHaveProperty('options');
  });

  it('shows its own errors, which compare no origins, to any', () => {
    for (const { responseParameters } of Object.values(document['x-amazon-apigateway-gateway-responses']))
      expect(responseParameters).toMatchObject({
        'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
        'gatewayresponse.header.Access-Control-Expose-Headers': expect.stringContaining(
          'Retry-After',
        ) as string,
      });
  });
});

describe('the gateway document', () => {
  it('with one origin shows its own errors to that one', () => {
    const responses = documentFor('https://app.example.com')['x-amazon-apigateway-gateway-responses'];
    for (const { responseParameters } of Object.values(responses))
      expect(responseParameters['gatewayresponse.header.Access-Control-Allow-Origin']).toBe(
        "'https://app.example.com'",
      );
  });

  it('without origins says nothing about them', () => {
    const { paths, ...others } = documentFor('');
    const closed = Object.entries(paths).filter(([path]) => !path.startsWith('/api/v1/stay/'));
    const text = JSON.stringify([closed, others]);
    expect(text).not.toContain('Access-Control');
    expect(text).not.toContain('"options"');
  });
});
