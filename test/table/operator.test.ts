import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Queues, startQueues } from '../../infra/local/queues/index.ts';
import { explainError } from '../../infra/operator/aws-errors.ts';
import type { CommandContext } from '../../infra/operator/command.ts';
import { localDeadLetters } from '../../infra/operator/connect.ts';
import { commandGroups, operate } from '../../infra/operator/operate.ts';
import { createOutbox } from '../../infra/operator/outbox.ts';
import { createStoredItems } from '../../infra/operator/stored-items.ts';
import { catalogItems } from '../../shared/domain/listing/catalog.rules.ts';
import {
  type Payment,
  PaymentEntity,
  type PaymentRefund,
  PaymentRefundEntity,
} from '../../shared/domain/payment/payment.entity.ts';
import { authenticateKey } from '../../shared/domain/people/authenticate-key.ts';
import { readUserByEmail } from '../../shared/domain/people/user.store.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { create } from '../../shared/platform/table/index.ts';
import { workQueues } from '../../shared/schedules.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { answerOf, refusalOf } from '../support/operator.ts';
import { freshId, type TestDependencies, testDependencies, testUser } from '../support/table.ts';
import { noRecovery } from '../support/recovery.ts';

let deps: TestDependencies<typeof systemClock>;
let queues: Queues;
let deadLetters: CommandContext['deadLetters'];
beforeAll(async () => {
  queues = await startQueues({ queues: [...subscriptions, ...workQueues], log: () => undefined });
  deadLetters = localDeadLetters(queues.endpoint);
});
afterAll(() => queues.stop());
beforeEach(async () => void (deps = await testDependencies({ clock: systemClock })));

const target = () => Promise.resolve('the table of this test');
const who = () => Promise.resolve('operator of this test');
const items = createStoredItems('none');
const outbox = createOutbox({ items, busName: 'none' });
const place = () => ({
  apiUrl: () => 'https://api.example.com',
  operator: who,
  ...{ deadLetters, target, outbox, items, recovery: noRecovery },
});
const operator = (...args: string[]) => operate(args, () => ({ ...place(), deps, stage: 'local' }));
const newTeam = async () =>
  String(answerOf<{ team_id: number }>(await operator('team', 'create', '--name', 'Hồ Tây')).team_id);
const newKey = async (...flags: string[]) =>
  answerOf<{ key_id: number; api_key: string }>(await operator('key', 'create', ...flags));
const use = (text: string) =>
  authenticateKey(deps, { text, address: async () => '203.0.113.7', stage: 'local' });

/** A payment of whose refund the gateway does not say whether it was made. */
const unsureRefund = async (): Promise<number> => {
  const payment_id = freshId() * 16;
  const common = { payment_id, amount: 5, currency: 'VND', reference: 'r', created_at: '', updated_at: '' };
  const payment: Payment = {
    ...common,
    provider: 'vnpay',
    state: 'PAID',
    url: null,
    attempt: 1,
    opened_at: 1,
    ends_at: 1,
    transaction_id: 't',
    refunded: 0,
    version: 1,
  };
  const refund: PaymentRefund = {
    ...common,
    refund_id: 'cancel-1',
    state: 'UNSURE',
    transaction_id: 't',
    paid: 5,
    reservation_ids: [],
    reason: null,
  };
  await deps.table.transact([create(PaymentEntity, payment), create(PaymentRefundEntity, refund)]);
  return payment_id;
};

describe('a refund', () => {
  test('that is UNSURE is closed, and asked for again, by the operator', async () => {
    const payment = await unsureRefund();
    const flags = ['--payment', String(payment), '--refund', 'cancel-1'];
    const ids = { payment_id: payment, refund_id: 'cancel-1' };
    expect(answerOf(await operator('refund', 'again', ...flags))).toEqual({ ...ids, state: 'DUE' });
    expect(refusalOf(await operator('refund', 'done', ...flags)).code).toBe('INVALID_STATE_TRANSITION');
    const other = ['--payment', String(await unsureRefund()), '--refund', 'cancel-1'];
    expect(answerOf(await operator('refund', 'done', ...other))).toMatchObject({ state: 'DONE' });
  });

  test('that is not UNSURE can neither be closed nor asked for again', async () => {
    for (const verb of ['done', 'again']) {
      const refusal = refusalOf(await operator('refund', verb, '--payment', '16', '--refund', 'cancel-17'));
      expect(refusal.code).toBe('INVALID_STATE_TRANSITION');
    }
  });
});

describe('teams and members', () => {
  test('are made and listed', async () => {
    const team = await newTeam();
    const { items } = answerOf<{ items: unknown[] }>(await operator('team', 'list'));
    expect(items).toContainEqual(expect.objectContaining({ team_id: Number(team), name: 'Hồ Tây' }));
  });

  test('a team has the language that it was given, until another is given', async () => {
    const made = await operator('team', 'create', '--name', 'Hồ Tây', '--language', 'en');
    const { team_id } = answerOf<{ team_id: number }>(made);
    const shown = async () => {
      const { items } = answerOf<{ items: { team_id: number }[] }>(await operator('team', 'list'));
      return items.find((team) => team.team_id === team_id);
    };
    expect(await shown()).toMatchObject({ name: 'Hồ Tây', language: 'en' });
    const update = ['team', 'update', '--team', String(team_id)];
    answerOf(await operator(...update, '--language', 'vi', '--name', 'Tây Hồ'));
    expect(await shown()).toMatchObject({ name: 'Tây Hồ', language: 'vi' });
    answerOf(await operator(...update));
    expect(await shown()).toMatchObject({ name: 'Tây Hồ', language: 'vi' });
    const nowhere = await operator('team', 'update', '--team', '1', '--name', 'x');
    expect(refusalOf(nowhere).code).toBe('NOT_FOUND');
  });

  test('a person is invited, and the invitation withdrawn', async () => {
    const [team, email] = [await newTeam(), `${randomUUID()}@example.com`];
    const person = ['--team', team, '--email', email];
    const added = answerOf<{ invitation_id: number }>(
      await operator('member', 'add', ...person, '--role', 'OWNER'),
    );
    expect(await readUserByEmail(deps.table, email)).toBeUndefined();
    const listed = answerOf<{ items: unknown[]; invitations: unknown[] }>(
      await operator('member', 'list', '--team', team),
    );
    expect(listed).toEqual({ items: [], invitations: [added] });
    expect(added).toMatchObject({ email, role: 'OWNER' });
    const { invitation_id } = added;
    expect(answerOf(await operator('member', 'remove', ...person))).toEqual({ invitation_id });
    expect(refusalOf(await operator('member', 'remove', ...person)).code).toBe('NOT_FOUND');
  });

  test('a person is invited to the platform’s staff, and leaves it', async () => {
    const { user } = await testUser(deps, { system_role: 'ADMIN' });
    const promote = (email: string, role: string) =>
      operator('user', 'promote', '--email', email, '--role', role);
    const email = `${randomUUID()}@example.com`;
    expect(answerOf(await promote(email, 'ADMIN'))).toMatchObject({ email, role: 'ADMIN' });
    expect(answerOf(await promote(user.email, 'ADMIN'))).toMatchObject({ system_role: 'ADMIN' });
    expect(answerOf(await promote(user.email, 'USER'))).toEqual({
      user_id: user.user_id,
      system_role: 'USER',
    });
    expect(refusalOf(await promote(`${randomUUID()}@example.com`, 'USER')).code).toBe('NOT_FOUND');
  });
});

describe('keys', () => {
  test('are issued with every setting, listed, rotated and revoked', async () => {
    const [one, two] = [await newTeam(), await newTeam()];
    const settings = [
      '--expires-at',
      '2999-01-01T00:00:00Z',
      '--allow-ip',
      '203.0.113.0/24',
      '--allow-ip',
      '::1',
    ];
    const scopes = ['--scope', 'webhooks', '--scope', 'book'];
    const more = ['--rate-limit', '100', '--collects-payment', '--name', 'Channel', ...scopes];
    const { key_id, api_key } = await newKey('--team', one, '--team', two, ...settings, ...more);
    expect(await use(api_key)).toMatchObject({
      ...{ team_ids: [Number(one), Number(two)], rate_limit: 100 },
      scopes: ['book', 'webhooks'],
    });
    const { items } = answerOf<{ items: unknown[] }>(await operator('key', 'list', '--team', one));
    const record = { key_id, allow_ip: ['203.0.113.0/24', '::1'], collects_payment: true, name: 'Channel' };
    expect(items).toEqual([expect.objectContaining({ ...record, expires_at: '2999-01-01T00:00:00.000Z' })]);
    const next = answerOf<{ key_id: number; api_key: string }>(
      await operator('key', 'rotate', '--key', `${key_id}`),
    );
    const endless = { ...(await use(next.api_key)), valid_until: undefined };
    expect(endless).toEqual({ ...(await use(api_key)), valid_until: undefined });
    answerOf(await operator('key', 'revoke', '--key', `${key_id}`));
    await expect(use(api_key)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(use(next.api_key)).resolves.toBeDefined();
  });
});

describe('a dry run', () => {
  test('of every command that changes says what it would write, and writes nothing', async () => {
    const team = await newTeam();
    const { user } = await testUser(deps);
    const { key_id } = await newKey('--team', team);
    await operator('member', 'add', '--team', team, '--email', user.email, '--role', 'STAFF');
    const lists = async () => {
      const lines = ['team list', `member list --team ${team}`, 'key list'];
      const outcomes = await Promise.all(lines.map((line) => operator(...line.split(' '))));
      return outcomes.map((outcome) => answerOf(outcome));
    };
    const payment_id = await unsureRefund();
    const blocked = await testUser(deps, { status: 'BLOCKED' });
    const before = await lists();
    const lines: Record<string, string> = {
      'team create': '--name N',
      'team update': `--team ${team} --language en`,
      'member add': `--team ${team} --email new-${team}@example.com --role OWNER`,
      'member remove': `--team ${team} --email ${user.email}`,
      'key create': `--team ${team}`,
      'key limit': `--key ${key_id} --rate-limit 5`,
      'key revoke': `--key ${key_id}`,
      'key rotate': `--key ${key_id}`,
      'refund done': `--payment ${payment_id} --refund cancel-1`,
      'refund again': `--payment ${payment_id} --refund cancel-1`,
      'user block': `--user ${user.user_id}`,
      'user unblock': `--email ${blocked.user.email}`,
      'user promote': `--email ${user.email} --role ADMIN`,
    };
    const changing = Object.entries(commandGroups).flatMap(([noun, verbs]) =>
      Object.entries(verbs).flatMap(([verb, { changes, dryRun }]) =>
        changes && !dryRun ? [`${noun} ${verb}`] : [],
      ),
    );
    expect(Object.keys(lines).sort()).toEqual(changing.sort());
    for (const [command, flags] of Object.entries(lines)) {
      const words = `${command} ${flags} --dry-run`.split(' ');
      const { dry_run, would_write } = answerOf<{ dry_run: boolean; would_write: string[] }>(
        await operator(...words),
      );
      expect({ command, dry_run, writes: would_write.length > 0 }).toEqual({
        command,
        dry_run: true,
        writes: true,
      });
    }
    expect(await lists()).toEqual(before);
  });

  test('still refuses what would be refused', async () => {
    expect(refusalOf(await operator('key', 'create', '--team', '1', '--dry-run')).code).toBe('NOT_FOUND');
  });
});

describe('the command line', () => {
  test.each(
    Object.entries(commandGroups).flatMap(([noun, verbs]) =>
      ['', ...Object.keys(verbs)].map((verb) => ({ noun, verb })),
    ),
  )('$noun $verb --help needs no service', async ({ noun, verb }) => {
    const help = await operate([noun, verb, '--help'].filter(Boolean), () => {
      throw new Error('connected');
    });
    expect(help.exitCode).toBe(0);
    expect(help.stdout).toContain(noun);
  });

  test.each([
    ['team create', '--name is required.'],
    ['team create --name x --language fr', '--language'],
    ['team update --name x', '--team is required.'],
    ['team create --nme x', "Unknown option '--nme'. Try --help."],
    ['team create x', "Unexpected argument 'x'"],
    ['team drop', 'There is no command "team drop". Try --help.'],
    ['key create --team x', '--team'],
    ['key create --team 1 --allow-ip 10.0.0.0/64', '--allow-ip'],
    ['key create --team 1 --rate-limit -5', '--rate-limit'],
    ['key limit --key 1 --rate-limit 0', '--rate-limit: must be at least 1'],
    ['key create --team 1 --scope write', '--scope'],
    ['key create --team 1 --expires-at tomorrow', '--expires-at'],
    ['key rotate --key 1 --overlap-hours soon', '--overlap-hours'],
    ['key find', '--secret-stdin is required.'],
    ['user block', 'give one of --email, --user and --subject'],
    ['user block --email a@example.com --user 1', 'give one of --email, --user and --subject'],
    ['user unblock --user x', '--user'],
    ['member add --team 1 --email no-address --role OWNER', '--email'],
    ['member add --team 1 --email a@example.com --role CUSTOMER', '--role'],
    ['table migrate --rate 0', '--rate'],
    ['dead-letters redrive', '--queue is required.'],
    ['dead-letters redrive --queue publisher', '--queue'],
    ['dead-letters list --queue letters', '--queue: must be one of notification, chat'],
  ])('%s is refused: %s', async (line, message) => {
    const refusal = refusalOf(await operator(...line.split(' ')));
    expect(refusal.code).toBe('VALIDATION_ERROR');
    expect(refusal.message).toContain(message);
  });
});

describe('the limit of a key', () => {
  test('is another one at its next use, and the default again without a number', async () => {
    const { key_id, api_key } = await newKey('--team', await newTeam(), '--rate-limit', '100');
    const limitOf = async () => {
      const caller = await use(api_key);
      return caller.rate_limit;
    };
    expect(await limitOf()).toBe(100);
    const limit = ['key', 'limit', '--key', String(key_id)];
    expect(answerOf(await operator(...limit, '--rate-limit', '5'))).toMatchObject({ key_id, rate_limit: 5 });
    expect(await limitOf()).toBe(5);
    expect(answerOf(await operator(...limit))).toMatchObject({ rate_limit: null });
    expect(await limitOf()).toBeNull();
  });

  test('is refused for a revoked key, and for one that was never issued', async () => {
    const { key_id } = await newKey('--team', await newTeam());
    answerOf(await operator('key', 'revoke', '--key', String(key_id)));
    const limit = (id: number) => operator('key', 'limit', '--key', String(id), '--rate-limit', '5');
    expect(refusalOf(await limit(key_id)).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusalOf(await limit(7)).code).toBe('NOT_FOUND');
  });
});

describe('the catalogs', () => {
  test('are part of the code: to seed them counts them and writes nothing', async () => {
    const counts = answerOf<{ catalogs: Record<string, number>; amenities: Record<string, number> }>(
      await operator('catalog', 'seed'),
    );
    expect(counts).toMatchObject({ version: expect.stringMatching(/^\d+\./) as string, written: 0 });
    const counted = Object.values(counts.catalogs).reduce((sum, count) => sum + count, 0);
    expect(counted).toBe(catalogItems.length);
    expect(counts.amenities).toMatchObject({ bathroom: expect.any(Number) as number });
  });
});

describe('a stage that does not answer', () => {
  const failure = (name: string, message: string, code?: string) =>
    Object.assign(new Error(message), { name, ...(code === undefined ? {} : { code }) });
  const lost = failure('Error', 'connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED');

  test.each([
    ['no credentials', failure('CredentialsProviderError', 'none'), 'UNAUTHORIZED', 'No AWS credentials'],
    ['no region', new Error('Region is missing'), 'VALIDATION_ERROR', 'AWS_REGION'],
    ['an old token', failure('ExpiredTokenException', 'expired'), 'UNAUTHORIZED', 'refuses the credentials'],
    ['too few rights', failure('AccessDeniedException', 'not you'), 'FORBIDDEN', 'not you'],
    ['no such queue', failure('QueueDoesNotExist', 'none'), 'NOT_FOUND', 'no such queue'],
    ['no network', failure('Error', 'getaddrinfo', 'ENOTFOUND'), 'SERVICE_UNAVAILABLE', 'getaddrinfo'],
    [
      'a service that was killed',
      new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { cause: lost }),
      'SERVICE_UNAVAILABLE',
      '127.0.0.1:1',
    ],
  ])('with %s says so', async (_, thrown, code, message) => {
    const staging = { ...place(), deps, stage: 'staging' };
    const counts = (await explainError(thrown, staging)) as ServiceError;
    expect(counts).toMatchObject({ code });
    expect(counts.message).toContain(message);
    expect(counts.message).toContain('Looked for the table of this test.');
  });

  test('leaves every other error as it is', async () => {
    const other = new ServiceError('NOT_FOUND', 'There is no team 7.');
    expect(
      await explainError(other, {
        ...place(),
        deps,
        stage: 'staging',
      }),
    ).toBe(other);
  });
});
