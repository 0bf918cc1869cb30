import { describe, expect, it } from 'vitest';
import { routeGroups } from '../../../functions/routes.ts';
import { errorCatalogue, type ErrorCode } from '../../../shared/platform/errors.ts';
import { authorizerOf, gatewayDocument } from '../../../shared/platform/http/gateway-document.ts';

interface Integration {
  type: string;
  uri?: string;
  timeoutInMillis?: number;
  responses?: {
    default: { statusCode: string; responseTemplates: Record<string, string>; responseParameters: object };
  };
}
interface Operation {
  security?: object[];
  parameters: { name: string }[];
  'x-amazon-apigateway-integration': Integration;
}
interface GatewayResponse {
  statusCode: string;
  responseParameters: Record<string, string>;
  responseTemplates: Record<string, string>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, Record<string, unknown>> };
  'x-amazon-apigateway-gateway-responses': Record<string, GatewayResponse>;
}

const document = gatewayDocument({
  groups: routeGroups,
  integrationUri: (group) => `arn:function:${group}`,
  unknownPathGroup: 'system',
  authorizerUri: 'arn:function:authorizer',
  title: 'nightlatch-test',
  version: '0.0.0',
}) as unknown as Document;

const rows = routeGroups.flatMap(({ group, routes }) =>
  Object.entries(routes).map(([id, route]) => ({ id, group, route })),
);
const anyMethod = 'x-amazon-apigateway-any-method';

describe('the gateway document', () => {
  it.each(rows)('sends $id to the function of its group, behind its authorizer', ({ group, route }) => {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    expect(operation?.['x-amazon-apigateway-integration']).toMatchObject({
      type: 'aws_proxy',
      uri: `arn:function:${group}`,
      timeoutInMillis: 29_000,
    });
    const scheme = authorizerOf[route.access];
    expect(operation?.security).toEqual(scheme ? [{ [scheme]: [] }] : undefined);
  });

  it('sends HEAD where GET goes, behind the same authorizer, and nowhere else', () => {
    for (const { route } of rows) {
      const { get, head } = document.paths[route.path]!;
      expect(head?.['x-amazon-apigateway-integration']).toEqual(get?.['x-amazon-apigateway-integration']);
      expect(head?.security).toEqual(get?.security);
    }
  });

  it('answers a wrong method on each path with METHOD_NOT_ALLOWED and what is allowed', () => {
    for (const { route } of rows) {
      const mock = document.paths[route.path]?.[anyMethod]?.['x-amazon-apigateway-integration'];
      expect(mock).toMatchObject({ type: 'mock', responses: { default: { statusCode: '405' } } });
      const { responseTemplates, responseParameters } = mock!.responses!.default;
      expect(JSON.parse(responseTemplates['application/json']!)).toMatchObject({
        code: 'METHOD_NOT_ALLOWED',
      });
      expect(responseParameters).toMatchObject({
        'method.response.header.X-Request-Id': 'context.requestId',
        'method.response.header.Allow': expect.stringContaining(route.method) as string,
      });
    }
  });

  it('answers every other path with NOT_FOUND, also the ones above a route', () => {
    const paths = Object.keys(document.paths);
    expect(paths).toContain('/');
    expect(paths).toContain('/{proxy+}');
    for (const path of paths.filter((each) => each !== '/'))
      expect(paths).toContain(path.slice(0, path.lastIndexOf('/')) || '/');
    for (const path of ['/{proxy+}', '/api/v1']) {
      const operation = document.paths[path]?.[anyMethod];
      expect(operation).not.toHaveProperty('security');
      expect(operation?.['x-amazon-apigateway-integration']).toMatchObject({
        type: 'aws_proxy',
        uri: 'arn:function:system',
      });
    }
  });

  it('remembers a key together with the address it came from, and a token alone, for at most a minute', () => {
    const authorizer = (scheme: string) =>
      document.components.securitySchemes[scheme]?.['x-amazon-apigateway-authorizer'];
    expect(authorizer('ApiKey')).toMatchObject({
      type: 'request',
      authorizerUri: 'arn:function:authorizer',
      identitySource: 'method.request.header.X-API-Key, context.identity.sourceIp',
      authorizerResultTtlInSeconds: 60,
    });
    // With both, the gateway refuses a request without credentials by itself, and asks no function.
    expect(authorizer('Bearer')).toMatchObject({
      identitySource: 'method.request.header.Authorization',
      authorizerResultTtlInSeconds: 60,
    });
  });

  it('calls a position of a path by one name', () => {
    const names = new Map<string, string>();
    for (const path of Object.keys(document.paths)) {
      const steps = path.split('/');
      steps.forEach((step, at) => {
        if (!step.startsWith('{') || step === '{proxy+}') return;
        const place = steps.slice(0, at).join('/');
        expect(names.get(place) ?? step, path).toBe(step);
        names.set(place, step);
      });
    }
  });
});

describe('the gateway’s own refusals', () => {
  const responses = Object.entries(document['x-amazon-apigateway-gateway-responses']);

  it.each(responses)('%s has the documented shape, its status and the request id', (_, response) => {
    const template = response.responseTemplates['application/json'] ?? '';
    const body = JSON.parse(template) as { code: ErrorCode; message: string; details: object };
    expect(Object.keys(body)).toEqual(['code', 'message', 'details', 'request_id']);
    expect(body).toMatchObject({ request_id: '$context.requestId' });
    expect(body.message.length).toBeGreaterThan(5);
    expect(response.statusCode).toBe(String(errorCatalogue[body.code].status));
    expect(response.responseParameters['gatewayresponse.header.X-Request-Id']).toBe('context.requestId');
    expect(
      template.replace('$context.requestId', '').replace('"$context.authorizer.message"', ''),
      'no other expression',
    ).not.toMatch(/[$#]/);
  });

  it('says when to retry', () => {
    for (const [, { statusCode, responseParameters }] of responses)
      if (['429', '503'].includes(statusCode))
        expect(responseParameters['gatewayresponse.header.Retry-After']).toMatch(/^'\d+'$/);
  });

  it('covers what the gateway can refuse', () => {
    const codes = Object.fromEntries(
      responses.map(([type, { responseTemplates }]) => [
        type,
        (JSON.parse(responseTemplates['application/json']!) as { code: string }).code,
      ]),
    );
    expect(codes).toMatchObject({
      DEFAULT_4XX: 'VALIDATION_ERROR',
      DEFAULT_5XX: 'INTERNAL_ERROR',
      UNAUTHORIZED: 'UNAUTHORIZED',
      ACCESS_DENIED: 'FORBIDDEN',
      MISSING_AUTHENTICATION_TOKEN: 'NOT_FOUND',
      REQUEST_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
      THROTTLED: 'RATE_LIMIT_EXCEEDED',
      QUOTA_EXCEEDED: 'RATE_LIMIT_EXCEEDED',
      INTEGRATION_TIMEOUT: 'SERVICE_UNAVAILABLE',
    });
  });
});
