import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RootConstruct } from 'constructs';
import { describe, expect, it } from 'vitest';
import {
  guestVariables,
  hostVariables,
  identityVariables,
  paymentVariables,
  settingVariables,
} from '../../infra/cloud/environment.ts';
import { readStageFile, stageSchema } from '../../infra/cloud/stage-file.ts';
import { checkLock } from '../../infra/cloud/stage-lock.ts';
import { readStage, stageFolder, stageOf } from '../../infra/cloud/stage.ts';
import { PaymentEnv } from '../../shared/platform/payment/env.ts';
import { SettingsEnv } from '../../shared/platform/settings.ts';
import { cloudfront, domain, leastFile, stageWith, stripe, vnpay } from './cloud/stages.ts';

const folderWith = (files: Record<string, unknown>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'nightlatch-stages-'));
  for (const [name, file] of Object.entries(files))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(file));
  return folder;
};

const disposable = { ...leastFile, disposable: true };
const files = folderWith({ dev: disposable, test: disposable, local: disposable });

// Not an App: each would make a folder for its assembly.
const stage = (context: Record<string, string>, folder = files) => {
  const { node } = new RootConstruct();
  for (const [key, value] of Object.entries(context)) node.setContext(key, value);
  return stageOf(node, folder);
};

const refusalOf = (fields: object): string => {
  try {
    readStageFile('stages/staging.json', JSON.stringify({ ...leastFile, ...fields }));
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
};

describe('the stages in git', () => {
  const names = readdirSync(stageFolder).flatMap((file) => /^([a-z0-9]+)\.json$/.exec(file)?.[1] ?? []);

  it.each(names.filter((name) => name !== 'schema'))('%s is as its schema and its lock say', (name) => {
    const { file, lock } = readStage(name);
    expect(() => checkLock(name, file, lock)).not.toThrow();
  });
});

describe('a stage', () => {
  it('is dev when nothing was said', () => {
    expect(stage({}).name).toBe('dev');
    expect(stage({ stage: 'test' }).name).toBe('test');
  });

  it('keeps its data unless its file says that it is disposable', () => {
    expect(stageWith('staging')).toMatchObject({ keepsData: true, removalPolicy: 'retain' });
    expect(stageWith('staging', { disposable: true })).toMatchObject({
      keepsData: false,
      removalPolicy: 'destroy',
    });
  });

  it.each(['Dev', 'a', 'my-stage', 'x'.repeat(17), '1st'])('is not called %s', (name) => {
    expect(() => stage({ stage: name })).toThrow('2 to 16 small letters and digits');
  });

  it('without a file is refused with those that there are', () => {
    expect(() => stage({ stage: 'prod' })).toThrow(
      'There is no stages/prod.json. There are dev, local, test: choose one with `-c stage=`',
    );
  });

  it.each(['payment', 'waf', 'cors_origins', 'disposable'])(
    'takes no -c %s: a later deployment forgets it',
    (field) => {
      expect(() => stage({ [field]: 'true' })).toThrow(`write ${field} into stages/dev.json`);
    },
  );

  it('leaves variables to SAM only where nothing is deployed', () => {
    expect(stage({ stage: 'local' }).isLocal).toBe(true);
    expect(stage({ stage: 'test' }).isLocal).toBe(false);
  });

  it('lets no browser in unless origins are given, and then those alone', () => {
    expect(stageWith('staging').origins).toEqual({ listed: [], loopback: false });
    const cors_origins = ['https://app.example.com', 'https://desk.example.com'];
    expect(stageWith('staging', { cors_origins }).origins).toEqual({ listed: cors_origins, loopback: false });
  });
});

describe('the applications for hosts', () => {
  const identity = (own: object) => ({ ...leastFile.identity, ...own });

  it('reach the authorizer, with a second factor unless the stage is disposable or its file says otherwise', () => {
    const variables = (own: object, file: object = {}) =>
      hostVariables(stageWith('staging', { ...file, identity: identity(own) }));
    expect(variables({})).toEqual({ HOST_CLIENT_IDS: 'hosts,pages', HOST_MFA: 'required' });
    expect(variables({ host_mfa: 'off' }).HOST_MFA).toBe('off');
    expect(variables({}, { disposable: true }).HOST_MFA).toBe('off');
    expect(variables({ host_mfa: 'required' }, { disposable: true }).HOST_MFA).toBe('required');
  });

  it('give the functions of the identity provider that of the pages, where there is one', () => {
    const variables = (own: object) => identityVariables(stageWith('staging', { identity: identity(own) }));
    expect(variables({})).not.toHaveProperty('PAGES_CLIENT_ID');
    expect(variables({ pages_client_id: 'pages' })).toMatchObject({ PAGES_CLIENT_ID: 'pages' });
  });

  it.each([
    ['are required', { host_client_ids: undefined }, 'identity.host_client_ids: '],
    ['are at least one', { host_client_ids: [] }, 'identity.host_client_ids: '],
    [
      'are not the one of partners’ logins',
      { host_client_ids: ['hosts', 'client'] },
      'identity.host_client_ids: must not contain client_id',
    ],
    ['are names', { host_client_ids: ['a,b'] }, 'must not contain a comma'],
    [
      'contain that of the pages',
      { pages_client_id: 'elsewhere' },
      'identity.pages_client_id: must be one of host_client_ids',
    ],
  ])('%s', (_, own, expected) => {
    expect(refusalOf({ identity: identity(own) })).toContain(expected);
    expect(refusalOf({ identity: identity({ pages_client_id: 'pages' }) })).toBe('accepted');
  });
});

describe('the application of guests on pages', () => {
  const identity = (own: object) => ({ ...leastFile.identity, ...own });

  it('reaches the function of the pages, where there is one, and is none of the hosts’', () => {
    const variables = (own: object) => guestVariables(stageWith('staging', { identity: identity(own) }));
    expect(variables({})).toEqual({
      ISSUER: leastFile.identity.issuer,
      AUDIENCE: leastFile.identity.audience,
    });
    expect(variables({ guest_client_id: 'guests' })).toMatchObject({ GUEST_CLIENT_ID: 'guests' });
    expect(refusalOf({ identity: identity({ guest_client_id: 'hosts' }) })).toContain(
      'identity.guest_client_id: must not be one of host_client_ids',
    );
  });
});

describe('a stage file', () => {
  it.each([
    ['an unknown field', { wafs: true }, 'Unknown field: wafs. Did you mean waf?'],
    ['an unknown field of a part', { logs: { day: 3 } }, 'logs: Unknown field: day. Did you mean days?'],
    [
      'a field of another gateway',
      { payment: { ...stripe, tmn_code: 'A' } },
      'payment: Unknown field: tmn_code.',
    ],
    [
      'an unknown gateway',
      { payment: { gateway: 'sandbox' } },
      'payment.gateway: must have a `gateway`: none, stripe or vnpay',
    ],
    [
      'a gateway without its secret',
      { payment: { ...vnpay, secret_arn: undefined } },
      'payment.secret_arn: ',
    ],
    [
      'a secret by its name',
      { identity: { ...leastFile.identity, secret_arn: 'nightlatch/staging/identity' } },
      'identity.secret_arn: must be a whole ARN such as arn:aws:secretsmanager:',
    ],
    [
      'a secret of another region',
      { region: 'eu-central-1' },
      'identity.secret_arn: must be in eu-central-1',
    ],
    [
      'an issuer without its slash',
      { identity: { ...leastFile.identity, issuer: 'https://x.eu.auth0.com' } },
      'identity.issuer: must end with a slash',
    ],
    [
      'a wrong origin',
      { cors_origins: ['*'] },
      'cors_origins.0: must be an origin such as https://app.example.com',
    ],
    [
      'two origins in one text',
      { cors_origins: ['https://a.example,https://b.example'] },
      'cors_origins.0: must be an',
    ],
    [
      'a domain with its protocol',
      { domain: { ...domain, name: 'https://api.example.com' } },
      'domain.name: must be a name such as api.example.com',
    ],
    [
      'a certificate of another region',
      {
        domain: { ...domain, certificate_arn: domain.certificate_arn.replace('ap-southeast-1', 'us-east-1') },
      },
      'domain.certificate_arn: must be in ap-southeast-1, the region of the stage',
    ],
    [
      'a certificate of another account',
      { account: '999999999999', domain },
      'domain.certificate_arn: must be of 999999999999, the account of the stage',
    ],
    [
      'a secret of another account',
      { account: '999999999999' },
      'identity.secret_arn: must be of 999999999999, the account of the stage',
    ],
    [
      'a gateway with the name that CloudFront has',
      { domain: { ...domain, cloudfront: { ...cloudfront, origin_name: domain.name } } },
      'domain.cloudfront.origin_name: must be another name than domain.name',
    ],
    ['no region', { region: undefined }, 'region: is required'],
    ['a sender without an at sign', { mail_sender: 'stay' }, 'mail_sender: must be a valid e-mail address'],
    [
      'a wrong setting',
      { settings: { SOFT_LOCK_MINUTES: 90 } },
      'settings.SOFT_LOCK_MINUTES: must be a whole number of minutes from 1 to 60',
    ],
    ['an unknown setting', { settings: { SOFT_LOCK: 9 } }, 'settings: Unknown field: SOFT_LOCK'],
    [
      'a budget that reaches no address',
      { budget_usd: 9 },
      'alarm_email: is required: the budget writes to it',
    ],
    ['days that CloudWatch does not know', { logs: { days: 10 } }, 'logs.days: must be one of 1, 3, 5'],
  ])('is refused with %s, by file and field', (_, fields, message) => {
    expect(refusalOf(fields)).toContain('stages/staging.json is not a stage.\n');
    expect(refusalOf(fields)).toContain(message);
  });

  it('is refused with every problem at once', () => {
    expect(refusalOf({ region: 'x', mail_sender: 'y' })).toMatch(/ {2}region: .*\n {2}mail_sender: /);
  });

  it('that is no JSON is refused by its name', () => {
    expect(() => readStageFile('stages/x.json', '{,}')).toThrow('stages/x.json is not JSON: ');
  });

  it('refuses a setting exactly where the service would', () => {
    for (const name of Object.keys(SettingsEnv.shape))
      for (const value of ['0', '1', '15', '61', '1441', '5000', '12345678', 'off', 'abc', ''])
        expect([name, value, refusalOf({ settings: { [name]: value } }) === 'accepted']).toEqual([
          name,
          value,
          SettingsEnv.safeParse({ [name]: value }).success,
        ]);
  });

  it('gives a function the settings that it names', () => {
    const settings = { SOFT_LOCK_MINUTES: 20, RATE_LIMIT_KEY: 'off' };
    expect(settingVariables(stageWith('staging', { settings }))).toEqual({
      SOFT_LOCK_MINUTES: '20',
      RATE_LIMIT_KEY: 'off',
    });
    expect(settingVariables(stageWith('staging'))).toEqual({});
  });

  it('has a schema for editors, which describes every field that needs it', () => {
    const { properties, required } = stageSchema() as { properties: object; required: string[] };
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['region', 'payment', 'disposable']));
    expect(required.sort()).toEqual(['identity', 'mail_sender', 'region']);
  });
});

describe('the payment gateway of a stage', () => {
  it.each([
    ['none', { gateway: 'none' }],
    ['stripe', stripe],
    ['vnpay', vnpay],
  ])('%s is given everything that it needs, and nothing else', (gateway, payment) => {
    const wanted = PaymentEnv().options.find(({ shape }) => shape.PAYMENT_GATEWAY.value === gateway);
    const given = paymentVariables(stageWith('staging', { payment }));
    expect([...Object.keys(given), 'STAGE'].sort()).toEqual(Object.keys(wanted?.shape ?? {}).sort());
    expect(given).toMatchObject({ PAYMENT_GATEWAY: gateway });
  });

  it('is none when nothing was said', () => {
    expect(paymentVariables(stageWith('staging'))).toEqual({ PAYMENT_GATEWAY: 'none' });
  });
});
