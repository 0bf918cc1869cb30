import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { environmentName } from '../../infra/local/environment.ts';
import { totpCode } from '../../infra/local/identity/totp.ts';
import { machineClock } from '../../shared/platform/time/clock.ts';
import { startService } from '../support/local-service.ts';

it('HOST_MFA=required asks the demo host for a code, and takes it for one', { timeout: 60_000 }, async () => {
  const LOCAL_DIR = mkdtempSync(join(tmpdir(), 'nightlatch-factor-'));
  const service = await startService({ HOST_MFA: 'required', LOCAL_DIR });
  const variables: unknown = JSON.parse(readFileSync(join(LOCAL_DIR, environmentName), 'utf8'));
  expect(variables).toMatchObject({ HOST_MFA: 'required' });
  const { api_url, auth_url, client, demo } = service.ready;
  const { client_id, client_secret, audience } = client;
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${auth_url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ client_id, client_secret, ...body }),
    });
    return (await reply.json()) as Record<string, string>;
  };
  const { email: username, password } = demo.host;
  const asked = await post('/oauth/token', { grant_type: 'password', username, password, audience });
  expect(asked).toMatchObject({ error: 'mfa_required' });
  const { mfa_token } = asked;
  const types = { authenticator_types: ['otp'] };
  const { secret = '' } = await post('/mfa/associate', types, { authorization: `Bearer ${mfa_token}` });
  const { access_token } = await post('/oauth/token', {
    grant_type: 'http://auth0.com/oauth/grant-type/mfa-otp',
    mfa_token,
    otp: totpCode(secret, machineClock.now()),
  });
  const keys = await fetch(`${api_url}/api/v1/team/keys`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(keys.status).toBe(200);
  await service.stop();
  rmSync(LOCAL_DIR, { recursive: true });
});
