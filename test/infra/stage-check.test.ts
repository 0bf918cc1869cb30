import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { StageFile } from '../../infra/cloud/stage-file.ts';
import { type AwsAccount, checkStage } from '../../infra/operator/stage/check-stage.ts';

const secret = (name: string): string =>
  `arn:aws:secretsmanager:ap-southeast-1:111122223333:secret:nightlatch/staging/${name}-AbCdEf`;
const certificate = (region: string): string =>
  `arn:aws:acm:${region}:111122223333:certificate/01234567-89ab-cdef-0123-456789abcdef`;

const file = (given: Partial<z.input<typeof StageFile>> = {}) =>
  StageFile.parse({
    region: 'ap-southeast-1',
    disposable: true,
    identity: {
      issuer: 'https://example.eu.auth0.com/',
      audience: 'https://api.example.com',
      client_id: 'service',
      host_client_ids: ['hosts'],
      secret_arn: secret('identity'),
    },
    mail_sender: 'stay@example.com',
    ...given,
  });

const domain = {
  name: 'api.example.com',
  certificate_arn: certificate('ap-southeast-1'),
  hosted_zone_id: 'Z0123456789ABCDEFGHIJ',
};

/** An account that has everything. */
const whole: AwsAccount = {
  bootstrap: () => Promise.resolve(30),
  secret: () => Promise.resolve(true),
  sender: () => Promise.resolve(true),
  sendsToAll: () => Promise.resolve(true),
  certificate: () => Promise.resolve({ state: 'ISSUED', names: ['*.example.com'] }),
  zone: () => Promise.resolve('example.com'),
  concurrency: () => Promise.resolve(1000),
  knowsGitHub: () => Promise.resolve(false),
};

/** Returns what is to be done, by what was looked at. */
const toDo = async (of: ReturnType<typeof file>, account: Partial<AwsAccount> = {}) =>
  Object.fromEntries(
    (await checkStage(of, { ...whole, ...account })).flatMap(({ what, state, to_do }) =>
      state === 'OK' ? [] : [[what, `${state}: ${to_do ?? ''}`]],
    ),
  );

describe('the check of an account before a deployment', () => {
  it('finds nothing to do where everything is there', async () => {
    const payment = {
      gateway: 'stripe',
      return_url: 'https://stay.example.com/paid',
      secret_arn: secret('payment'),
    } as const;
    expect(await toDo(file({ payment, domain }))).toEqual({});
    expect((await checkStage(file({ payment, domain }), whole)).map(({ what }) => what)).toEqual([
      'cdk bootstrap of ap-southeast-1',
      'identity.secret_arn',
      'payment.secret_arn',
      'mail_sender',
      'production access of SES',
      'concurrent executions of Lambda',
      'domain.certificate_arn',
      'domain.hosted_zone_id',
    ]);
  });

  it.each([
    [
      'no bootstrap',
      { bootstrap: () => Promise.resolve(undefined) },
      'cdk bootstrap of ap-southeast-1',
      /MISSING: Run/,
    ],
    [
      'an old bootstrap',
      { bootstrap: () => Promise.resolve(5) },
      'cdk bootstrap of ap-southeast-1',
      /MISSING: Run/,
    ],
    [
      'no secret',
      { secret: () => Promise.resolve(false) },
      'identity.secret_arn',
      /MISSING: Create the secret/,
    ],
    [
      'no sender',
      { sender: () => Promise.resolve(false) },
      'mail_sender',
      /MISSING: Verify stay@example.com or example.com/,
    ],
    [
      'the sandbox of SES',
      { sendsToAll: () => Promise.resolve(false) },
      'production access of SES',
      /WARNING: .*sandbox/,
    ],
    [
      'a small quota',
      { concurrency: () => Promise.resolve(10) },
      'concurrent executions of Lambda',
      /WARNING: .*it is 10/,
    ],
    [
      'no answer',
      { concurrency: () => Promise.reject(new Error('403')) },
      'concurrent executions of Lambda',
      /UNKNOWN: .*403/,
    ],
    [
      'no certificate',
      { certificate: () => Promise.resolve(undefined) },
      'domain.certificate_arn',
      /MISSING: Request/,
    ],
    [
      'a certificate that waits',
      { certificate: () => Promise.resolve({ state: 'PENDING_VALIDATION', names: ['api.example.com'] }) },
      'domain.certificate_arn',
      /MISSING: .*PENDING_VALIDATION/,
    ],
    [
      'a certificate for another name',
      { certificate: () => Promise.resolve({ state: 'ISSUED', names: ['example.com', '*.other.com'] }) },
      'domain.certificate_arn',
      /MISSING: .*not for api.example.com/,
    ],
    ['no zone', { zone: () => Promise.resolve(undefined) }, 'domain.hosted_zone_id', /MISSING: There is no/],
    [
      'another zone',
      { zone: () => Promise.resolve('ample.com') },
      'domain.hosted_zone_id',
      /MISSING: .*ample.com/,
    ],
  ] satisfies [string, Partial<AwsAccount>, string, RegExp][])(
    'says what to do with %s',
    async (_, account, what, text) => {
      const found = await toDo(file({ domain }), account);
      expect(Object.keys(found)).toEqual([what]);
      expect(found[what]).toMatch(text);
    },
  );

  it('knows that an account has one provider of GitHub, whichever stage has made it', async () => {
    const of = (has_provider?: boolean) =>
      file({ release: { repository: 'example/nightlatch', has_provider } });
    const knowsGitHub = () => Promise.resolve(true);
    expect(await toDo(of())).toEqual({});
    expect(await toDo(of(true), { knowsGitHub })).toEqual({});
    expect((await toDo(of(), { knowsGitHub }))['release.has_provider']).toMatch(
      /^WARNING: .*"has_provider": true/,
    );
    expect((await toDo(of(true)))['release.has_provider']).toMatch(/^MISSING: .*take/);
    expect(await toDo(file(), { knowsGitHub })).toEqual({});
  });

  it('takes the domain of the sender, and a certificate of the very name', async () => {
    const sender = (identity: string) => Promise.resolve(identity === 'example.com');
    const exact = () => Promise.resolve({ state: 'ISSUED', names: ['api.example.com'] });
    expect(await toDo(file({ domain }), { sender, certificate: exact })).toEqual({});
  });

  it('refuses to reserve what the account does not have', async () => {
    const reserving = file({ concurrency: { authorizer: 100, payments: 20, workers: 5 } });
    const found = await toDo(reserving, { concurrency: () => Promise.resolve(219) });
    expect(found['concurrent executions of Lambda']).toMatch(/^MISSING: .*reserves 120 of 219/);
    expect(await toDo(reserving, { concurrency: () => Promise.resolve(1000) })).toEqual({});
  });

  it('looks at both regions of a stage with CloudFront', async () => {
    const cloudfront = {
      origin_name: 'origin.api.example.com',
      certificate_arn: certificate('us-east-1'),
      secret_arn: secret('edge'),
      secret_version: '01234567-89ab-4def-8123-456789abcdef',
    };
    const asked: string[] = [];
    const names = ['origin.api.example.com', 'api.example.com'];
    const found = await toDo(file({ domain: { ...domain, cloudfront } }), {
      bootstrap: (region) => Promise.resolve(region === 'us-east-1' ? undefined : 30),
      certificate: (arn) => {
        asked.push(arn);
        return Promise.resolve({ state: 'ISSUED', names });
      },
    });
    expect(Object.keys(found)).toEqual(['cdk bootstrap of us-east-1']);
    expect(asked).toEqual([certificate('ap-southeast-1'), certificate('us-east-1')]);
  });

  it("looks at certificate and zone of the board, which needs no bootstrap of CloudFront's region", async () => {
    const board = { ...domain, name: 'board.example.com', certificate_arn: certificate('us-east-1') };
    const identity = { ...file().identity, host_client_ids: ['hosts', 'pages'], pages_client_id: 'pages' };
    const found = await toDo(file({ identity, board }), {
      bootstrap: (region) => Promise.resolve(region === 'us-east-1' ? undefined : 30),
      certificate: (arn) =>
        Promise.resolve(
          arn === board.certificate_arn ? { state: 'ISSUED', names: ['x.example.com'] } : undefined,
        ),
      zone: () => Promise.resolve('example.org'),
    });
    expect(found).toEqual({
      'board.certificate_arn': 'MISSING: The certificate is for x.example.com, not for board.example.com.',
      'board.hosted_zone_id':
        'MISSING: The hosted zone is example.org, which does not hold board.example.com.',
    });
  });
});
