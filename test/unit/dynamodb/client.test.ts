import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { machineClock } from '../../../shared/platform/time/clock.ts';
import { endpointOf } from '../../../shared/platform/aws/endpoint.ts';
import { DynamoDB, dynamodb, GetCommand } from '../../../shared/platform/dynamodb/index.ts';
import { environmentCredentials, keptCredentials } from '../../../shared/platform/aws/credentials.ts';
import { DynamoDBError } from '../../../shared/platform/dynamodb/errors.ts';
import { RetryQuota, retryableOf, retryDelayMs } from '../../../shared/platform/dynamodb/retries.ts';
import {
  type Arrived,
  playedCertificate,
  playedCredentials,
  playedService,
  reply,
} from '../../support/played-service.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const step of undo.splice(0).toReversed()) await step();
});

const get = new GetCommand({ TableName: 'abc', Key: { pk: 'a', sk: 'b' } });
const limits = { maxAttempts: 3, requestTimeout: 2000, connectionTimeout: 1000 };

const played = async (play: (request: Arrived, response: ServerResponse) => void, given: object = {}) => {
  const service = await playedService(play);
  undo.push(service.close);
  const credentials = () => Promise.resolve(playedCredentials);
  const client = new DynamoDB({ ...limits, endpoint: service.endpoint, credentials, ...given });
  return { client, ...service };
};

describe('a request without an answer', () => {
  it('is sent again when its connection breaks, in the middle of a reply too', async () => {
    const { client, arrived } = await played((_, response) => {
      if (arrived.length === 1) return void response.socket?.destroy();
      if (arrived.length > 2) {
        reply(response, 200, { Item: { a: { S: 'x' } } });
        return;
      }
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"Item":');
      setImmediate(() => response.socket?.destroy());
    });
    const { Item, $metadata } = await client.send(get);
    expect(Item).toEqual({ a: 'x' });
    expect([arrived.length, $metadata.attempts]).toEqual([3, 3]);
  });

  it('is sent again over a new connection when the service has closed the kept one', async () => {
    const { client, arrived } = await played((_, response) => {
      if (arrived.length === 2) return void response.socket?.destroy();
      reply(response, 200, {});
    });
    await client.send(get);
    await client.send(get);
    expect(arrived).toHaveLength(3);
  });

  it('ends after the time limit, as often as it may be sent', async () => {
    const { client, arrived } = await played(() => undefined, { requestTimeout: 30, maxAttempts: 2 });
    await expect(client.send(get)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(arrived).toHaveLength(2);
  });

  it('ends when the rest of its reply does not come', async () => {
    const { client } = await played(
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{');
      },
      { requestTimeout: 30, maxAttempts: 1 },
    );
    await expect(client.send(get)).rejects.toMatchObject({ name: 'TimeoutError', code: 'ETIMEDOUT' });
  });

  it('is an error of the connection where nothing listens', async () => {
    const server = createSocketServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await new Promise((resolve) => server.close(resolve));
    const { client } = await played(() => undefined, { endpoint: () => ({ url, region: 'eu-west-3' }) });
    await expect(client.send(get)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends at once when it is aborted: before, meanwhile and between attempts', async () => {
    const early = await played((_, response) => reply(response, 200, {}));
    const aborted = { abortSignal: AbortSignal.abort(new Error('over')) };
    await expect(early.client.send(get, aborted)).rejects.toMatchObject({ name: 'AbortError' });
    expect(early.arrived).toHaveLength(0);
    const controller = new AbortController();
    const silent = await played(() => setImmediate(() => controller.abort()));
    await expect(silent.client.send(get, { abortSignal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(silent.arrived).toHaveLength(1);
    const second = new AbortController();
    const throttled = await played((_, response) => {
      reply(response, 400, { __type: 'ThrottlingException' }, { 'x-amz-retry-after': '5000' });
      response.once('close', () => setTimeout(() => second.abort(), 20));
    });
    await expect(throttled.client.send(get, { abortSignal: second.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(throttled.arrived).toHaveLength(1);
  });
});

describe('connections', () => {
  it('are kept', async () => {
    const sockets = new Set();
    const { client } = await played((_, response) => {
      sockets.add(response.socket);
      reply(response, 200, {});
    });
    for (let at = 0; at < 5; at++) await client.send(get);
    expect(sockets.size).toBe(1);
  });
});

describe('a secure endpoint', () => {
  const trust = (...certificates: string[]) => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, ...certificates]);
    undo.push(() => setDefaultCACertificates(before));
  };
  const playedSecurely = async () => {
    const service = await playedService((_, response) => reply(response, 200, { Item: { a: { S: 'x' } } }), {
      isSecure: true,
    });
    undo.push(service.close);
    const credentials = () => Promise.resolve(playedCredentials);
    return { ...service, client: new DynamoDB({ ...limits, endpoint: service.endpoint, credentials }) };
  };

  it('has its requests signed for its host, over connections that are kept', async () => {
    trust(playedCertificate());
    const { client, arrived, connections } = await playedSecurely();
    for (let at = 0; at < 3; at++) expect((await client.send(get)).Item).toEqual({ a: 'x' });
    expect(arrived.map(({ isSigned }) => isSigned)).toEqual([true, true, true]);
    expect(connections()).toBe(1);
  });

  it('gets no request where its certificate is not trusted', async () => {
    const { client, arrived } = await playedSecurely();
    await expect(client.send(get)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(arrived).toEqual([]);
  });

  it('gets no request where its certificate is for another host', async () => {
    trust(playedCertificate());
    const { arrived, endpoint, connections } = await playedSecurely();
    const elsewhere = () => ({ ...endpoint(), url: new URL(`https://127.0.0.1:${endpoint().url.port}`) });
    const credentials = () => Promise.resolve(playedCredentials);
    const client = new DynamoDB({ ...limits, endpoint: elsewhere, credentials });
    await expect(client.send(get)).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect([arrived, connections()]).toEqual([[], 1]);
  });
});

describe('an answer that is no JSON', () => {
  it('means what its status says', async () => {
    const { client, arrived } = await played((_, response) => {
      if (arrived.length < 3) reply(response, 503, '<html>busy</html>');
      else reply(response, 404, 'nothing here');
    });
    const expected = { name: 'Unknown', $fault: 'client', $metadata: { httpStatusCode: 404, attempts: 3 } };
    await expect(client.send(get)).rejects.toMatchObject(expected);
  });
});

describe('a clock that is wrong', () => {
  it('is corrected by that of the service, and the request is sent again', async () => {
    const hour = 3_600_000;
    const now = machineClock.now();
    const date = new Date(now + hour).toUTCString();
    const { client, arrived } = await played((_, response) => {
      if (arrived.length > 1) reply(response, 200, {}, { date });
      else reply(response, 400, { __type: 'com.amazon.coral.service#InvalidSignatureException' }, { date });
    });
    await client.send(get);
    await client.send(get);
    const hours = arrived.map(({ headers }) => {
      const [, y, m, d, h] = /^(....)(..)(..)T(..)/.exec(String(headers['x-amz-date'])) ?? [];
      return Date.parse(`${y}-${m}-${d}T${h}:00:00Z`);
    });
    expect(hours.map((one) => Math.round((one - hours[0]!) / hour))).toEqual([0, 1, 1]);
    expect(arrived.every(({ isSigned }) => isSigned)).toBe(true);
  });

  it('is not the reason where it is right: a wrong secret is an error at once', async () => {
    const { client, arrived } = await played((_, response) =>
      reply(response, 400, { __type: 'InvalidSignatureException', message: 'no' }),
    );
    await expect(client.send(get)).rejects.toMatchObject({ name: 'InvalidSignatureException' });
    expect(arrived).toHaveLength(1);
  });
});

describe('retries', () => {
  const error = (status: number, retryAfterMs?: number) =>
    new DynamoDBError('Some', 'no', { httpStatusCode: status, requestId: undefined }, retryAfterMs);

  it('wait up to 25 ms, or a second after throttling, doubled with each attempt, at most 20 seconds', () => {
    const longest = (kind: 'transient' | 'throttling', attempt: number) =>
      Math.max(...Array.from({ length: 2000 }, () => retryDelayMs(kind, attempt, error(500))));
    const near = (ms: number, limit: number) => ms < limit && ms > limit * 0.9;
    expect(near(longest('transient', 1), 25)).toBe(true);
    expect(near(longest('transient', 3), 100)).toBe(true);
    expect(near(longest('throttling', 1), 1000)).toBe(true);
    expect(near(longest('throttling', 3), 4000)).toBe(true);
    expect(near(longest('throttling', 9), 20_000)).toBe(true);
  });

  it('wait as long as the service asks for, at most 5 seconds longer', () => {
    expect(retryDelayMs('transient', 1, error(503, 700))).toBe(700);
    const long = retryDelayMs('transient', 1, error(503, 60_000));
    expect(long >= 5000 && long < 5025).toBe(true);
  });

  it('are paid from a quota that successes fill up again', () => {
    const quota = new RetryQuota();
    let affordable = 0;
    while (quota.take('transient') !== undefined) affordable++;
    expect(affordable).toBe(35);
    expect([quota.take('throttling'), quota.take('throttling')]).toEqual([5, 5]);
    for (let at = 0; at < 4; at++) quota.give();
    expect(quota.take('throttling')).toBe(undefined);
    quota.give();
    expect(quota.take('throttling')).toBe(5);
    quota.give(5);
    expect(quota.take('throttling')).toBe(5);
    for (let at = 0; at < 100; at++) quota.give(14);
    affordable = 0;
    while (quota.take('transient') !== undefined) affordable++;
    expect(affordable).toBe(35);
  });

  it('are for what may succeed the next time', () => {
    const named = (name: string, code?: string) => Object.assign(new Error(name), { name, code });
    expect(retryableOf(named('TimeoutError'))).toBe('transient');
    expect(retryableOf(named('Error', 'EAI_AGAIN'))).toBe('transient');
    expect(retryableOf(named('AbortError', 'ECONNRESET'))).toBe(undefined);
    expect(retryableOf(named('SyntaxError'))).toBe(undefined);
    expect(retryableOf('text')).toBe(undefined);
  });
});

describe('the endpoint', () => {
  const env = { AWS_REGION: 'ap-southeast-1' };

  it.each([
    [{}, 'https://dynamodb.ap-southeast-1.amazonaws.com/'],
    [{ AWS_REGION: 'cn-north-1' }, 'https://dynamodb.cn-north-1.amazonaws.com.cn/'],
    [{ AWS_ENDPOINT_URL: 'http://localhost:1' }, 'http://localhost:1/'],
    [
      { AWS_ENDPOINT_URL: 'http://localhost:1', AWS_ENDPOINT_URL_DYNAMODB: 'http://localhost:2' },
      'http://localhost:2/',
    ],
    [
      { AWS_ENDPOINT_URL_DYNAMODB: 'http://localhost:2', AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' },
      'https://dynamodb.ap-southeast-1.amazonaws.com/',
    ],
  ])('of %j is %s', (more, url) => {
    expect(endpointOf(dynamodb, { ...env, ...more }).url.href).toBe(url);
  });

  it('is refused without a region, and where another kind is asked for', () => {
    expect(() => endpointOf(dynamodb, {})).toThrow('AWS_REGION');
    expect(() => endpointOf(dynamodb, { ...env, AWS_USE_FIPS_ENDPOINT: 'true' })).toThrow('FIPS');
    expect(() => endpointOf(dynamodb, { ...env, AWS_USE_DUALSTACK_ENDPOINT: 'true' })).toThrow('dual-stack');
  });
});

describe('credentials', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

  it('come from the variables of the function', async () => {
    expect(await environmentCredentials(keys)).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret' });
    expect(await environmentCredentials({ ...keys, AWS_SESSION_TOKEN: 'token' })).toEqual({
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: 'token',
    });
    await expect(environmentCredentials({})).rejects.toMatchObject({ name: 'CredentialsProviderError' });
  });

  it('come from the endpoint of a container, with its authorization', async () => {
    const asked: unknown[] = [];
    let status = 200;
    const server = createServer((request, response) => {
      asked.push([request.url, request.headers.authorization]);
      response
        .writeHead(status)
        .end(
          '{"AccessKeyId":"id","SecretAccessKey":"secret","Token":"token","Expiration":"2027-01-01T00:00:00Z"}',
        );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    undo.push(() => server.close());
    const env = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${(server.address() as AddressInfo).port}/role`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'opensesame',
    };
    expect(await environmentCredentials(env)).toEqual({
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: 'token',
      expiration: new Date('2027-01-01T00:00:00Z'),
    });
    expect(asked).toEqual([['/role', 'opensesame']]);
    status = 500;
    await expect(environmentCredentials(env)).rejects.toThrow('answered 500');
  });

  it('are asked for at addresses of this machine alone where the address is http', async () => {
    const env = { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://credentials.example.com/role' };
    await expect(environmentCredentials(env)).rejects.toThrow('neither https');
  });

  it('are kept, and replaced five minutes before they expire', async () => {
    let now = 0;
    let loads = 0;
    const minute = 60_000;
    const load = async () => ({
      accessKeyId: String(++loads),
      secretAccessKey: 's',
      expiration: new Date(now + 60 * minute),
    });
    const credentials = keptCredentials(load, { now: () => now });
    await Promise.all([credentials(), credentials()]);
    now = 54 * minute;
    expect((await credentials()).accessKeyId).toBe('1');
    now = 56 * minute;
    expect((await credentials()).accessKeyId).toBe('2');
    expect(loads).toBe(2);
  });

  it('are used until they expire while their source is out', async () => {
    let now = 0;
    let isOut = false;
    const load = async () => {
      if (isOut) throw new Error('out');
      return { accessKeyId: 'id', secretAccessKey: 's', expiration: new Date(600_000) };
    };
    const credentials = keptCredentials(load, { now: () => now });
    await credentials();
    isOut = true;
    now = 599_000;
    expect((await credentials()).accessKeyId).toBe('id');
    now = 600_001;
    await expect(credentials()).rejects.toThrow('out');
  });
});
