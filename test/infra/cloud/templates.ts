import { describe, expect, it } from 'vitest';
import { allow, deny } from '../../../functions/authorizer/policy.ts';
import { routeGroups } from '../../../functions/routes.ts';
import { createGateway, gatewayResponseOf } from '../../../infra/local/gateway/index.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';
import { allowedOrigins } from '../../../shared/platform/http/cors.ts';
import { type GatewayRefusal, refusalError } from '../../../shared/platform/http/gateway-responses.ts';
import { renderTemplate } from '../../support/mapping-template.ts';
import type { Cloud } from './synthesized.ts';

type Texts = Record<string, string>;

interface Answer {
  statusCode: string;
  responseParameters: Texts;
  responseTemplates: Texts;
}
interface Operation {
  responses: Record<string, { headers?: object }>;
  'x-amazon-apigateway-integration': {
    type: string;
    requestTemplates?: Texts;
    responses?: { default: Answer };
  };
}
interface Body {
  paths: Record<string, Record<string, Operation>>;
  'x-amazon-apigateway-gateway-responses': Record<string, Answer>;
}

const requestId = '3b241101-e2bb-4255-8caf-4136c566a962';
const origin = 'https://app.example.com';
const methodArn = 'arn:aws:execute-api:ap-southeast-1:111122223333:api/production/GET/api/v1/bookings';

/** What a browser or an attacker may send as its origin: the one that is allowed, and texts that templates could take for their own. */
const sentOrigins = [
  origin,
  undefined,
  '',
  'https://evil.example',
  `${origin}"`,
  `${origin}\n`,
  '$origin',
  '$allowed',
  '#end',
  '${context.requestId}',
  'https://ví-dụ.example',
  '"]) #set($allowed = ["',
];

/** What an authorizer may have as its reason. */
const reasons = [
  'The key may not be used from 203.0.113.7.',
  'A "quoted" name, a \\ and a \' of it',
  'two\r\nlines\tand a tab',
  'Khách sạn Đà Lạt — 🏠',
  '$context.requestId #set($x = 1) ${x}',
  '',
];

/** The headers of a status that a method declares; API Gateway drops all others. */
const shown = (
  { responseParameters }: Answer,
  overridden: Texts,
  declared: object | undefined,
  prefix: string,
): Texts => {
  const own = Object.entries(responseParameters).map(([name, value]) => [
    name.replace(prefix, ''),
    value === 'context.requestId' ? requestId : value.replace(/^'(.*)'$/, '$1'),
  ]);
  const all = { ...(Object.fromEntries(own) as Texts), ...overridden };
  return declared ? Object.fromEntries(Object.entries(all).filter(([name]) => name in declared)) : all;
};

/** A value of `$context` in a gateway response: it is put in as it is, without the template engine. */
const substituted = (template: string, message: string): string =>
  template
    .replaceAll('$context.requestId', requestId)
    .replaceAll('$context.authorizer.message', () => message);

/** An answer with the one request id, and without its type, which is that of the template. */
const comparable = ({ status, headers, body }: { status: number; headers: Texts; body: string }) => {
  const { 'Content-Type': _type, 'X-Request-Id': drawn = 'none', ...rest } = headers;
  return { status, headers: { ...rest, 'X-Request-Id': requestId }, body: body.replaceAll(drawn, requestId) };
};

/** The answers of the gateway itself, as another implementation of its templates renders them. */
export const templateSentences = (cloud: Cloud): void => {
  const [api] = cloud.all<{ Body: Body }>('AWS::ApiGateway::RestApi');
  const { paths, 'x-amazon-apigateway-gateway-responses': refusals } = api?.properties.Body ?? {
    paths: {},
    'x-amazon-apigateway-gateway-responses': {},
  };
  const mocks = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, one]) => one['x-amazon-apigateway-integration'].type === 'mock')
      .map(([method, operation]) => ({
        path,
        method: method === 'options' ? 'OPTIONS' : 'TRACE',
        operation,
      })),
  );
  const gateway = (message = '') =>
    createGateway({
      groups: routeGroups,
      functionOf: () => undefined,
      authorizer: () => Promise.resolve(deny(methodArn, new ServiceError('FORBIDDEN', message))),
      origins: allowedOrigins({ CORS_ORIGINS: origin }),
    });
  const ask = async (method: string, url: string, headers: [string, string][], message?: string) =>
    comparable(
      await gateway(message).dispatch({
        ...{ method, url, headers, body: Buffer.alloc(0), sourceIp: '203.0.113.7' },
      }),
    );

  describe('templates of the gateway', () => {
    it('are those of preflights and wrong methods, and every one is looked at', () => {
      expect(mocks.length).toBeGreaterThan(Object.keys(paths).length);
      const text = JSON.stringify(paths);
      expect(text.split('"responseTemplates"')).toHaveLength(mocks.length + 1);
      expect(text.split('"requestTemplates"')).toHaveLength(mocks.length + 1);
    });

    it.each(mocks)('$method $path answers as on the laptop, whatever origin is sent', async (row) => {
      const { path, method, operation } = row;
      const { requestTemplates = {}, responses } = operation['x-amazon-apigateway-integration'];
      const answer = responses?.default;
      if (!answer) throw new Error('has no answer');
      for (const template of Object.values(requestTemplates))
        expect(JSON.parse(renderTemplate(template, {}).body)).toEqual({
          statusCode: Number(answer.statusCode),
        });
      const url = path.replaceAll(/\{[^}]*\}/g, 'x');
      for (const sent of sentOrigins)
        for (const name of ['Origin', 'origin']) {
          const rendered = renderTemplate(
            answer.responseTemplates['application/json'] ?? '',
            { [name]: sent },
            { requestId },
          );
          const { headers: declared } = operation.responses[answer.statusCode] ?? {};
          const laptop = await ask(method, url, sent === undefined ? [] : [[name, sent]]);
          expect({
            status: Number(answer.statusCode),
            headers: shown(answer, rendered.headers, declared ?? {}, 'method.response.header.'),
            body: rendered.body.trim(),
          }).toEqual(laptop);
        }
    });

    it.each(Object.entries(refusals))(
      'the refusal %s is as on the laptop, by both ways to read it',
      (type, answer) => {
        const template = answer.responseTemplates['application/json'] ?? '';
        const body = substituted(template, '');
        const context = { requestId, authorizer: { message: '' } };
        expect(renderTemplate(template, {}, context)).toEqual({ headers: {}, body });
        const laptop = comparable(gatewayResponseOf(refusalError(type as GatewayRefusal), requestId, {}));
        expect({ status: Number(answer.statusCode), body }).toEqual({
          ...{ status: laptop.status, body: substituted(laptop.body, '') },
        });
        expect(shown(answer, {}, undefined, 'gatewayresponse.header.')).toMatchObject(laptop.headers);
        expect(Object.keys(JSON.parse(body) as object)).toEqual(['code', 'message', 'details', 'request_id']);
      },
    );

    it.each(reasons)('a denial with the reason %j is JSON that has it, as on the laptop', async (reason) => {
      const { message = '' } = deny(methodArn, new ServiceError('FORBIDDEN', reason)).context as Texts;
      expect(message).toMatch(/^[ -~]*$/);
      const template = refusals['ACCESS_DENIED']?.responseTemplates['application/json'] ?? '';
      const body = substituted(template, message);
      expect(JSON.parse(body)).toEqual({
        ...{ code: 'FORBIDDEN', message: reason, details: {}, request_id: requestId },
      });
      const token: [string, string][] = [['Authorization', 'Bearer token']];
      expect(await ask('GET', '/api/v1/bookings', token, reason)).toMatchObject({ status: 403, body });
    });

    it('a caller that is let in has a reason for the paths that its policy does not open', () => {
      const caller = { kind: 'user' } as Parameters<typeof allow>[2];
      expect(allow(methodArn, 'user:1', caller).context?.['message']).toMatch(/^[ !#-[\]-~]+$/);
    });
  });
};
