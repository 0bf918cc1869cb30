import { describe, expect, it } from 'vitest';
import { AuthorizerEnv } from '../../../functions/authorizer/env.ts';
import { guestOnly, type HostAccess } from '../../../functions/authorizer/host-access.ts';
import { readEnv } from '../../../shared/platform/environment/env.ts';

const audience = 'https://api.example.com';
const access = (mfa: HostAccess['mfa']): HostAccess => ({
  applications: new Set(['hosts', 'pages']),
  mfa,
  audience,
});

describe('what a token is for', () => {
  const claims = { sub: 'auth0|1', exp: 1 };

  it.each([
    ['an application for hosts', { azp: 'hosts' }, undefined],
    ['one of several', { azp: 'pages' }, undefined],
    ['the other name of the claim', { client_id: 'hosts' }, undefined],
    ['azp before client_id', { azp: 'guests', client_id: 'hosts' }, 'APPLICATION'],
    ['an application for guests', { azp: 'guests' }, 'APPLICATION'],
    ['no application', {}, 'APPLICATION'],
    ['a part of a name', { azp: 'host' }, 'APPLICATION'],
    ['a list in place of a name', { azp: ['hosts'] }, 'APPLICATION'],
    ['what it says of itself elsewhere', { azp: 'guests', scope: 'hosts', gty: 'hosts' }, 'APPLICATION'],
  ] as const)('%s', (_, own, expected) => {
    expect(guestOnly({ ...claims, ...own } as never, access('off'))).toBe(expected);
  });

  it.each([
    ['mfa among the methods', { amr: ['pwd', 'mfa'] }, undefined],
    ['mfa below the audience', { [`${audience}/amr`]: ['mfa'] }, undefined],
    ['a password alone', { amr: ['pwd'] }, 'MFA'],
    ['no methods', {}, 'MFA'],
    ['a text in place of a list', { amr: 'mfa' }, 'MFA'],
    ['the methods of another audience', { 'https://other.example.com/amr': ['mfa'] }, 'MFA'],
  ] as const)('a second factor: %s', (_, own, expected) => {
    const token = { ...claims, azp: 'hosts', ...own } as never;
    expect(guestOnly(token, access('required'))).toBe(expected);
    expect(guestOnly(token, access('off'))).toBeUndefined();
  });
});

describe('the environment of the authorizer', () => {
  const least = {
    TABLE_NAME: 'table',
    STAGE: 'staging',
    ISSUER: 'https://identity.example.com/',
    AUDIENCE: audience,
    IDP_CLIENT_ID: 'service',
    IDENTITY_SECRET_ARN: 'arn',
  };
  const read = (fields: Record<string, string>) => () => readEnv(AuthorizerEnv, { ...least, ...fields });

  it('needs applications for hosts', () => {
    expect(read({})).toThrow(/HOST_CLIENT_IDS/);
    expect(read({ HOST_CLIENT_IDS: 'hosts,,pages' })).toThrow(/separated by commas/);
    expect(read({ HOST_CLIENT_IDS: 'hosts,pages' })()).toMatchObject({ HOST_MFA: 'off' });
  });

  it('refuses the application with which partners log customers in', () => {
    expect(read({ HOST_CLIENT_IDS: 'hosts,service' })).toThrow(/must not contain IDP_CLIENT_ID/);
    expect(read({ HOST_CLIENT_IDS: 'hosts,service-2' })).not.toThrow();
  });

  it('has the application of the pages among those for hosts', () => {
    expect(read({ HOST_CLIENT_IDS: 'hosts', PAGES_CLIENT_ID: 'pages' })).toThrow(/PAGES_CLIENT_ID/);
    expect(read({ HOST_CLIENT_IDS: 'hosts,pages', PAGES_CLIENT_ID: 'pages' })).not.toThrow();
  });
});
