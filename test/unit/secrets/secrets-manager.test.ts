import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { identityFrom } from '../../../shared/platform/environment/identity-environment.ts';
import { gatewayFrom } from '../../../shared/platform/payment/gateway-from.ts';
import { secretReader } from '../../../shared/platform/secrets/index.ts';
import { type Arrived, playedCredentials, playedService, reply } from '../../support/played-service.ts';

const arn = 'arn:aws:secretsmanager:eu-west-3:111122223333:secret:nightlatch/test/payment-AbCdEf';
const Shape = z.object({ key: z.string().min(5) });

const undo: (() => unknown)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const step of undo.splice(0)) step();
});

const played = async (play: (request: Arrived, response: ServerResponse, count: number) => void) => {
  const service = await playedService((request, response) => play(request, response, service.arrived.length));
  undo.push(service.close);
  const read = secretReader(arn, Shape, {
    endpoint: service.endpoint,
    credentials: () => Promise.resolve(playedCredentials),
    pausesMs: [1, 1],
    // Long enough for the reply of a busy machine: one test waits for it twice.
    requestTimeout: 500,
  });
  return { ...service, read };
};
const secret = (value: unknown) => ({ ARN: arn, SecretString: JSON.stringify(value) });
const messageOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error: unknown) => `${String((error as Error).stack)} ${JSON.stringify(error)}`,
  );

describe('Secrets Manager', () => {
  it('is asked for one secret by its ARN, in a signed request', async () => {
    const { arrived, read } = await played((_, response) => reply(response, 200, secret({ key: 'abcdef' })));
    expect(await read()).toEqual({ key: 'abcdef' });
    expect(arrived).toMatchObject([
      { operation: 'secretsmanager.GetSecretValue', body: { SecretId: arn }, isSigned: true },
    ]);
    expect(arrived[0]?.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.1',
      authorization: expect.stringContaining('/eu-west-3/secretsmanager/aws4_request') as string,
    });
  });

  it.each([
    [
      'an error of its own',
      (response: ServerResponse) => reply(response, 500, { __type: 'InternalServiceError' }),
    ],
    [
      'too many requests',
      (response: ServerResponse) => reply(response, 400, { __type: 'ThrottlingException' }),
    ],
    ['a broken connection', (response: ServerResponse) => void response.socket?.destroy()],
    ['silence', () => undefined],
  ])('is asked again after %s', async (_, fail) => {
    const { arrived, read } = await played((_request, response, count) => {
      if (count < 3) fail(response);
      else reply(response, 200, secret({ key: 'abcdef' }));
    });
    expect(await read()).toEqual({ key: 'abcdef' });
    expect(arrived).toHaveLength(3);
  });

  it('is asked three times and no more', async () => {
    const { arrived, read } = await played((_, response) => reply(response, 503, 'gone'));
    await expect(read()).rejects.toThrow(`The secret ${arn} cannot be read: 503`);
    expect(arrived).toHaveLength(3);
  });

  it('is not asked again what it refuses', async () => {
    const Message = 'User x is not authorized to perform secretsmanager:GetSecretValue';
    const { arrived, read } = await played((_, response) =>
      reply(response, 400, { __type: 'AccessDeniedException', Message }),
    );
    await expect(read()).rejects.toThrow(`400 AccessDeniedException ${Message}`);
    expect(arrived).toHaveLength(1);
  });

  it.each([
    ['no JSON', { ARN: arn, SecretString: 'hunter2 is the key' }],
    ['another field', secret({ kez: 'hunter2' })],
    ['a wrong value', secret({ key: 'hu' })],
    ['no text', { ARN: arn, SecretBinary: 'aHVudGVyMg==' }],
  ])('whose secret has %s is an error that shows nothing of it', async (_, body) => {
    const { read } = await played((_request, response) => reply(response, 200, body));
    const message = await messageOf(read());
    expect(message).toContain(arn);
    expect(message).not.toMatch(/hunter|"hu"|aHVud/);
  });
});

const environment = (url: URL) => {
  for (const [name, value] of Object.entries({
    AWS_REGION: 'eu-west-3',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: url.href,
    AWS_ACCESS_KEY_ID: playedCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: playedCredentials.secretAccessKey,
    LOG_LEVEL: 'SILENT',
  }))
    vi.stubEnv(name, value);
};

describe('a function with a secret', () => {
  const now = Date.parse('2027-01-15T03:00:00.000Z');
  const session = { payment_id: 16, amount: 100, currency: 'VND', attempt: 1, ends_at: now + 9e5, now };
  const variables = {
    STAGE: 'staging',
    PAYMENT_GATEWAY: 'vnpay',
    PAYMENT_RETURN_URL: 'https://stay.example.com/paid',
    PAYMENT_SECRET_ARN: arn,
    VNPAY_TMN_CODE: 'NIGHTL01',
    VNPAY_PAY_URL: 'https://sandbox.vnpayment.vn/paymentv2/vpcpay.html',
    VNPAY_API_URL: 'https://sandbox.vnpayment.vn/merchant_webapi/api/transaction',
  };

  it('signs with the rotated one 5 minutes later, without being deployed', async () => {
    let value = 'first';
    const service = await playedService((_, response) =>
      reply(response, 200, secret({ vnpay_hash_secret: value })),
    );
    undo.push(service.close);
    environment(service.endpoint().url);
    const gateway = gatewayFrom(variables);
    const page = async () => (await gateway.openSession(session)).url;
    const first = await page();
    value = 'second';
    expect(await page()).toBe(first);
    vi.stubEnv('CLOCK_OFFSET_MS', String(5 * 60_000));
    expect(await page()).not.toBe(first);
    expect(service.arrived).toHaveLength(2);
  });

  it('answers that the gateway does not, while the secret was never read', async () => {
    const service = await playedService((_, response) => reply(response, 400, { __type: 'AccessDenied' }));
    undo.push(service.close);
    environment(service.endpoint().url);
    await expect(gatewayFrom(variables).openSession(session)).rejects.toThrow(
      'The payment gateway did not answer',
    );
    const identity = identityFrom({
      STAGE: 'staging',
      ISSUER: 'https://identity.example.com/',
      AUDIENCE: 'https://api.example.com',
      IDP_CLIENT_ID: 'client',
      IDENTITY_SECRET_ARN: arn,
    });
    await expect(identity().readUser('auth0|1')).rejects.toMatchObject({
      code: 'IDENTITY_PROVIDER_UNAVAILABLE',
    });
  });

  it('does not start without a secret', () => {
    expect(() =>
      identityFrom({ STAGE: 'staging', ISSUER: 'https://x/', AUDIENCE: 'a', IDP_CLIENT_ID: 'c' })(),
    ).toThrow('IDENTITY_SECRET_ARN: is required');
  });
});
