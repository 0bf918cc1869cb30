import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instantText, systemClock } from '../../shared/platform/time/clock.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { type StartedService, startService } from '../support/local-service.ts';

/** The partner journey over HTTP only: the commands of the guide, and what it says about unverified customers. */
describe('the journey of a partner', { timeout: 60_000 }, () => {
  let service: StartedService;
  beforeAll(
    async () => void (service = await startService({ RATE_LIMIT_KEY: '600', RATE_LIMIT_USER: '120' })),
    60_000,
  );
  afterAll(async () => {
    await service.stop();
  });

  type Json = Record<string, unknown>;
  const post = async (
    address: string,
    body: object,
    headers: Record<string, string> = {},
    method = 'POST',
  ) => {
    const reply = await fetch(address, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: reply.status, body: (await reply.json()) as Json };
  };

  it('is what the guide on the docs page says, line by line', async () => {
    const { api_url, demo } = service.ready;
    const { info } = (await (await fetch(`${api_url}/openapi.json`)).json()) as {
      info: { description: string };
    };
    const guide = info.description.split('## From the key to the first booking')[1] ?? '';
    const steps = guide.split('\n### ').slice(1);
    const lines = steps.map((step) => step.split('```')[1]?.replace(/^sh\n/, '') ?? '');
    const marked = lines.map((sh, at) => `echo; echo "== ${at + 1}"\n${sh}`).join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-ec', marked], {
      env: { PATH: process.env['PATH'], API_URL: api_url, API_KEY: demo.api_key },
    });
    const said = stdout
      .split(/\n== \d+\n/)
      .slice(1)
      .map((text) => text.trim());
    const json = (step: number) =>
      (said[step - 1] ?? '')
        .replaceAll('}{', '}\n{')
        .split('\n')
        .map((line) => JSON.parse(line) as Json);

    expect(said).toHaveLength(8);
    expect(said[1]).toMatch(/x-ratelimit-limit: 600\s+x-ratelimit-remaining: 59\d\s+x-ratelimit-reset: \d+/i);
    const [status] = json(3);
    const { user_id, email } = status as { user_id: number; email: string };
    expect(status).toMatchObject({ email_verified: false, can_login: false });
    expect(json(4)).toEqual([
      {
        error: 'EMAIL_NOT_VERIFIED',
        code: 'EMAIL_NOT_VERIFIED',
        message: expect.any(String) as string,
        details: { user_id, verification_status: 'PENDING', action_required: 'VERIFY_EMAIL' },
        request_id: expect.any(String) as string,
      },
    ]);
    expect(json(5)).toEqual([{ user_id, email, email_verified: true, has_auth0_account: true }]);
    const [confirmed] = json(7) as {
      payment_status: string;
      reservations: { id: number; status: string }[];
    }[];
    expect(confirmed).toMatchObject({
      payment_status: 'PENDING',
      reservations: [{ status: expect.stringMatching(/CONFIRMED|PENDING/) as string }],
    });
    const [booked, out] = json(8) as [{ total: number; items: { id: number; user_id: number }[] }, Json];
    expect(booked).toMatchObject({ total: 1, items: [{ id: confirmed?.reservations[0]?.id, user_id }] });
    expect(out).toEqual({ message: 'You are logged out.' });
  });

  it('refuses the confirm of an unverified customer in the published shape, for every issuer of tokens', async () => {
    const { api_url, auth_url, client, demo } = service.ready;
    const today = instantText(systemClock.now()).slice(0, 10);
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const password = 'Dalat-2027';
    const { body: made } = await post(`${auth_url}/dbconnections/signup`, {
      client_id: client.client_id,
      connection: 'Username-Password-Authentication',
      email,
      password,
    });
    const { client_id, client_secret } = client;
    const grant = {
      grant_type: 'client_credentials',
      client_id,
      client_secret,
      audience: `${auth_url}/api/v2/`,
    };
    const { body: management } = await post(`${auth_url}/oauth/token`, grant);
    const account = `${auth_url}/api/v2/users/auth0|${String(made['_id'])}`;
    const manager = { Authorization: `Bearer ${String(management['access_token'])}` };
    const setVerified = (email_verified: boolean) => post(account, { email_verified }, manager, 'PATCH');
    expect((await setVerified(true)).status).toBe(200);
    const { body: tokens } = await post(`${auth_url}/oauth/token`, {
      grant_type: 'password',
      username: email,
      password,
      scope: 'openid profile email',
      ...client,
    });
    await setVerified(false);
    const confirm = await post(
      `${api_url}/api/v1/checkout/confirm`,
      {
        items: [
          {
            listing_id: demo.listing_ids[0],
            check_in_date: addDays(today, 90),
            check_out_date: addDays(today, 91),
            guest_number: 1,
          },
        ],
        payment_method: 'CASH',
      },
      { Authorization: `Bearer ${String(tokens['access_token'])}` },
    );
    expect(confirm).toEqual({
      status: 403,
      body: {
        error: 'USER_NOT_VERIFIED',
        code: 'USER_NOT_VERIFIED',
        message: expect.any(String) as string,
        details: {
          user_id: expect.any(Number) as number,
          verification_status: 'PENDING',
          action_required: 'VERIFY_EMAIL',
        },
        request_id: expect.any(String) as string,
      },
    });
  });
});
