import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, expect, it, vi } from 'vitest';
import { apiUrl, knowingApiUrl } from '../../../shared/platform/http/api-url.ts';

afterEach(() => vi.unstubAllEnvs());

const urlOf = async (domainName: string, path: string) => {
  const answer = knowingApiUrl(async () => ({ statusCode: 200, headers: {}, body: apiUrl() }));
  const event = { path: '/docs', headers: {}, requestContext: { domainName, path } };
  return (await answer(event as unknown as APIGatewayProxyEvent, {} as never)).body;
};

it('links have the address that the request came to: of the gateway with its stage, or a domain', async () => {
  expect(await urlOf('a1.execute-api.ap-southeast-1.amazonaws.com', '/dev/docs')).toBe(
    'https://a1.execute-api.ap-southeast-1.amazonaws.com/dev',
  );
  expect(await urlOf('api.example.com', '/docs')).toBe('https://api.example.com');
});

it('links have the own name of the API wherever the request came to', async () => {
  vi.stubEnv('API_URL', 'https://api.example.com');
  expect(await urlOf('a1.execute-api.ap-southeast-1.amazonaws.com', '/dev/docs')).toBe(
    'https://api.example.com',
  );
});
