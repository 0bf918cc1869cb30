import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handler as account } from '../../functions/account/index.ts';
import { accountRoutes } from '../../functions/account/routes.ts';
import { handler as authorizer } from '../../functions/authorizer/index.ts';
import type { RunningIdentityProvider } from '../../infra/local/identity/index.ts';
import { UserRecord } from '../../shared/domain/people/user.schema.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { createAuth0 } from '../../shared/platform/identity/index.ts';
import { audience, callsOf, client, configOf, start } from '../support/embedded-identity.ts';
import { testTableName } from '../support/table.ts';

let provider: RunningIdentityProvider;
const { newcomer } = callsOf(() => provider);

beforeAll(async () => {
  provider = await start();
  Object.assign(process.env, {
    TABLE_NAME: await testTableName(),
    STAGE: 'local',
    ISSUER: provider.issuer,
    AUDIENCE: audience,
    HOST_CLIENT_IDS: 'hosts',
    IDP_CLIENT_ID: client.client_id,
    IDP_CLIENT_SECRET: client.client_secret,
    IDP_CONNECTION: provider.connection,
    METRICS_DISABLED: 'true',
    LOG_LEVEL: 'SILENT',
  });
});
afterAll(() => provider.stop());

const path = '/api/v1/auth/me';
const requestContext = { requestId: 'request-1', identity: { sourceIp: '203.0.113.7' } };

const tokenOf = async ({ email, password }: { email: string; password: string }) => {
  const identity = createAuth0(configOf(provider), { clock: systemClock });
  return (await identity.passwordLogin({ email, password })).access_token;
};

/** Authorizer and handler in the environment of a function, as the gateway calls them. */
const call = async (method: 'GET' | 'PATCH', token: string, body?: unknown) => {
  const common = {
    resource: path,
    path,
    httpMethod: method,
    pathParameters: null,
    queryStringParameters: null,
  };
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const methodArn = `arn:aws:execute-api:ap-southeast-1:1:api/local/${method}${path}`;
  const admission = { type: 'REQUEST', methodArn, ...common, headers, requestContext };
  const { context } = await authorizer(admission as unknown as APIGatewayRequestAuthorizerEvent);
  const request = {
    ...common,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    requestContext: { ...requestContext, authorizer: context },
  };
  const answer = await account(request as unknown as APIGatewayProxyEvent, {} as never);
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) as unknown };
};

test('a person who logs in for the first time has a record, and changes it', async () => {
  const person = await newcomer();
  const token = await tokenOf(person);
  const first = await call('GET', token);
  expect(first).toMatchObject({ status: 200, headers: { 'X-Request-Id': 'request-1' } });
  const record = UserRecord.parse(first.body);
  expect(record).toMatchObject({
    email: person.email,
    auth0_id: person.subject,
    full_name: 'Bình',
    teams: [],
  });
  expect(await call('GET', token)).toEqual(first);
  const body = { full_name: ' Nguyễn Văn Bình ', phone: '+84 901 234 567', language: 'en' };
  const changed = await call('PATCH', token, body);
  expect(changed).toMatchObject({
    status: 200,
    body: { ...body, full_name: 'Nguyễn Văn Bình', id: record.id },
  });
  expect((await call('GET', token)).body).toEqual(changed.body);
});

test('read-only fields of the own record are refused, every problem at once', async () => {
  const token = await tokenOf(await newcomer());
  const { status, body } = await call('PATCH', token, {
    email: 'x@example.com',
    full_name: '',
    language: 'fr',
  });
  expect(status).toBe(400);
  const { code, details } = body as { code: string; details: { issues: { path: string }[] } };
  expect(code).toBe('VALIDATION_ERROR');
  expect(details.issues.map(({ path }) => path).sort()).toEqual(['email', 'full_name', 'language']);
});

test('the examples of the rows are what the rows say', () => {
  const { getMe, updateMe } = accountRoutes.routes;
  expect(getMe.reply.safeParse(getMe.examples.reply).success).toBe(true);
  expect(updateMe.body.safeParse(updateMe.examples.body).success).toBe(true);
});
