import { randomUUID } from 'node:crypto';
import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  BatchGetCommand,
  DynamoDB,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '../../shared/platform/dynamodb/index.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { requestLimits } from '../../shared/platform/table/client.ts';
import {
  create,
  defineEntity,
  defineRecord,
  equals,
  ConflictError,
  put,
  readOf,
  type RecordOf,
  Table,
  retryOnConflict,
} from '../../shared/platform/table/index.ts';
import { makeVirtual, runVirtual, seeded } from '../prove/schedule/virtual.ts';
import { tableEndpoint } from '../support/aws-env.ts';
import { lossyEndpoint } from '../support/lossy-endpoint.ts';
import { scriptedSender } from '../support/scripted-sender.ts';
import { testTableName } from '../support/table.ts';

const NoteRecord = defineRecord(() => ({ id: z.string(), version: z.int() }));
type Note = RecordOf<typeof NoteRecord>;

const NoteEntity = defineEntity<Note, Pick<Note, 'id'>>({
  name: 'Note',
  meaning: 'A note of this test.',
  patterns: ['a note'],
  record: NoteRecord,
  key: { pk: 'NOTE#{id}', sk: 'NOTE' },
  example: { id: 'a' },
});

const faulty = scriptedSender();
const table = new Table({ client: faulty.sender, tableName: 'faulty' });
const real = () => new DynamoDB(requestLimits);

/** A table whose first reply is lost, so that the request is sent again. */
const lossyTable = async (tableName: string) => {
  const endpoint = await lossyEndpoint(tableEndpoint());
  onTestFinished(endpoint.close);
  const { url } = endpoint;
  const client = new DynamoDB({ ...requestLimits, endpoint: () => ({ url, region: 'ap-southeast-1' }) });
  return { table: new Table({ client, tableName }), wasLost: endpoint.wasLost };
};

const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    $metadata: {},
    message: 'cancelled',
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
const named = (name: string) => Object.assign(new Error(name), { name });
const note = (): Note => ({ id: randomUUID(), version: 1 });

beforeEach(() => faulty.reset());

describe('a transaction', () => {
  it('is tried again after a conflict with another one and after throttling', async () => {
    faulty
      .on(TransactWriteCommand)
      .rejectsOnce(cancelled('TransactionConflict', 'None'))
      .rejectsOnce(cancelled('None', 'ThrottlingError'))
      .resolves({});
    await table.transact([create(NoteEntity, note()), create(NoteEntity, note())]);
    expect(faulty.asked(TransactWriteCommand)).toHaveLength(3);
  });

  it('ends as SERVICE_UNAVAILABLE with Retry-After when the conflict does not end', async () => {
    faulty.on(TransactWriteCommand).rejects(cancelled('TransactionConflict'));
    await expect(table.transact([create(NoteEntity, note())])).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 1,
    });
    expect(faulty.asked(TransactWriteCommand)).toHaveLength(6);
  });

  it('is sent again as it is within a verb, and decided anew after the third time', async () => {
    faulty.on(TransactWriteCommand).rejects(cancelled('TransactionConflict'));
    let reads = 0;
    const verb = async () => {
      if (++reads === 3) throw new ServiceError('LISTING_NOT_AVAILABLE');
      await table.transact([create(NoteEntity, note())]);
    };
    await expect(retryOnConflict(verb)).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    expect(faulty.asked(TransactWriteCommand)).toHaveLength(6);
  });

  it('is repeated as it is after throttling, and ends as SERVICE_UNAVAILABLE', async () => {
    faulty.on(TransactWriteCommand).rejects(cancelled('TransactionConflict', 'ThrottlingError'));
    await expect(
      table.transact([create(NoteEntity, note()), create(NoteEntity, note())]),
    ).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    expect(faulty.asked(TransactWriteCommand)).toHaveLength(6);
  });

  it('is decided anew after throttling within a verb, with pauses of seconds, for about 15 seconds', async () => {
    faulty.on(TransactWriteCommand).rejects(cancelled('ThrottlingError'));
    makeVirtual();
    const pauses: number[] = [];
    const virtual = { random: seeded(1), pause: async (ms: number) => void pauses.push(ms) };
    const verb = () => retryOnConflict(() => table.transact([create(NoteEntity, note())]));
    await expect(runVirtual(virtual, verb)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 1,
    });
    expect(faulty.asked(TransactWriteCommand)).toHaveLength(pauses.length + 1);
    const total = pauses.reduce((sum, ms) => sum + ms, 0);
    expect([total > 14_000, total < 18_001, Math.max(...pauses) < 4001]).toEqual([true, true, true]);
  });

  it('says what a failed condition means, the first one first, whatever went wrong after it', async () => {
    faulty
      .on(TransactWriteCommand)
      .rejects(cancelled('None', 'ConditionalCheckFailed', 'ConditionalCheckFailed', 'TransactionConflict'));
    const writes = ['first', 'second', 'third', 'fourth'].map((name) =>
      create(NoteEntity, note(), () => new Error(name)),
    );
    await expect(table.transact(writes)).rejects.toThrow('second');
    expect(faulty.asked(TransactWriteCommand)).toHaveLength(1);
  });

  it.each(['TransactionConflict', 'ThrottlingError'])(
    'has no final refusal while an action before the failed condition met a %s',
    async (code) => {
      faulty
        .on(TransactWriteCommand)
        .rejectsOnce(cancelled(code, 'ConditionalCheckFailed'))
        .rejectsOnce(cancelled('ConditionalCheckFailed', 'ConditionalCheckFailed'));
      const writes = ['first', 'second'].map((name) => create(NoteEntity, note(), () => new Error(name)));
      await expect(table.transact(writes)).rejects.toThrow('first');
    },
  );

  it('is decided anew at once when a condition asks for it, whatever an action before it met', async () => {
    faulty.on(TransactWriteCommand).rejects(cancelled('TransactionConflict', 'ConditionalCheckFailed'));
    const writes = [create(NoteEntity, note()), create(NoteEntity, note(), () => new ConflictError('Note'))];
    await expect(table.transact(writes)).rejects.toThrow(ConflictError);
    expect(faulty.asked(TransactWriteCommand)).toHaveLength(1);
  });

  it.each([
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'TimeoutError',
    'InternalServerError',
    'ECONNRESET',
  ])('ends as SERVICE_UNAVAILABLE when the client gives up with %s', async (name) => {
    faulty.on(TransactWriteCommand).rejects(named(name));
    await expect(table.transact([create(NoteEntity, note())])).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });

  it('is refused before anything is written when it is too large', async () => {
    const writes = Array.from({ length: 101 }, () => create(NoteEntity, note()));
    await expect(table.transact(writes)).rejects.toThrow('at most 100');
    expect(faulty.count()).toBe(0);
  });

  it('carries a token, so that the repetition of a lost reply changes nothing twice', async () => {
    const tableName = await testTableName();
    const { id } = note();
    const own = new Table({ client: real(), tableName });
    await own.transact([create(NoteEntity, { id, version: 1 })]);
    const lossy = await lossyTable(tableName);
    await lossy.table.transact([put(NoteEntity, { id, version: 2 }, { when: equals('version', 1) })]);
    expect(lossy.wasLost()).toBe(true);
    expect(await own.get(NoteEntity, { id })).toEqual({ id, version: 2 });
  });
});

describe('a put by itself', () => {
  const absentNote = (): Note & { text?: string | undefined } => ({ ...note(), text: undefined });

  it('is tried again after a conflict with a transaction, and ends as SERVICE_UNAVAILABLE when that does not end', async () => {
    const conflict = new TransactionConflictException({ $metadata: {}, message: 'ongoing' });
    faulty.on(PutCommand).rejectsOnce(conflict).rejectsOnce(conflict).resolves({});
    await table.put(create(NoteEntity, note()));
    expect(faulty.asked(PutCommand)).toHaveLength(3);
    faulty.on(PutCommand).rejects(conflict);
    await expect(table.put(create(NoteEntity, note()))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });

  it('is sent again while a transaction holds the item, and so is a sum', async () => {
    const conflict = new TransactionConflictException({ $metadata: {}, message: 'ongoing' });
    faulty.on(PutCommand).rejectsOnce(conflict).rejectsOnce(conflict).resolves({});
    let reads = 0;
    await retryOnConflict(async () => {
      reads++;
      await table.put(create(NoteEntity, note()));
    });
    expect(reads).toBe(1);
    faulty
      .on(UpdateCommand)
      .rejectsOnce(conflict)
      .resolves({ Attributes: { version: 3 } });
    expect(await table.increase(NoteEntity, note(), 'version', 2)).toBe(3);
  });

  it('is content with its own item when its reply was lost and it is sent again', async () => {
    const lossy = await lossyTable(await testTableName());
    const own = absentNote();
    await lossy.table.put(create(NoteEntity, own));
    expect(lossy.wasLost()).toBe(true);
    expect(await lossy.table.get(NoteEntity, own)).toEqual({ id: own.id, version: 1 });
  });

  it("says what another one's item means", async () => {
    const own = new Table({ client: real(), tableName: await testTableName() });
    const { id } = note();
    await own.put(create(NoteEntity, { id, version: 1 }));
    const other = create(NoteEntity, { id, version: 2 }, (old) => new Error(`version ${old?.version}`));
    await expect(own.put(other)).rejects.toThrow('version 1');
  });

  it('costs half of what a transaction costs', async () => {
    const spent: number[] = [];
    const measured = new Table({
      client: real(),
      tableName: await testTableName(),
      onConsumed: ({ writeUnits }) => spent.push(writeUnits),
    });
    await measured.put(create(NoteEntity, note()));
    await measured.transact([create(NoteEntity, note())]);
    expect(spent[1]).toBeGreaterThanOrEqual(2 * (spent[0] ?? 0));
    expect(spent[0]).toBe(1);
  });
});

describe('a read', () => {
  it('asks again for keys that were left out, and gives up in the end', async () => {
    const [one, two] = [note(), note()];
    const keys = [one, two].map((item) => readOf(NoteEntity, item));
    const stored = (item: Note) => ({ ...item, ...NoteEntity.key(item), entity: 'Note' });
    faulty
      .on(BatchGetCommand)
      .resolvesOnce({
        Responses: { faulty: [stored(one)] },
        UnprocessedKeys: { faulty: { Keys: [NoteEntity.key(two)] } },
      })
      .resolvesOnce({ Responses: { faulty: [stored(two)] } });
    expect(await table.getAll(keys)).toEqual([one, two]);
    faulty.reset();
    faulty.on(BatchGetCommand).resolves({ UnprocessedKeys: { faulty: { Keys: [NoteEntity.key(one)] } } });
    await expect(table.getAll(keys)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('of more than 100 keys is one round trip of several requests', async () => {
    faulty.on(BatchGetCommand).resolves({});
    await table.getAll(Array.from({ length: 250 }, () => readOf(NoteEntity, note())));
    const sizes = faulty
      .asked(BatchGetCommand)
      .map(({ input }) => input.RequestItems?.['faulty']?.Keys?.length);
    expect(sizes).toEqual([100, 100, 50]);
  });

  it('lets through what is a mistake of ours', async () => {
    faulty.on(GetCommand).rejects(named('ValidationException'));
    await expect(table.get(NoteEntity, { id: 'a' })).rejects.toThrow('ValidationException');
  });
});

describe('a table that takes requests and never answers', () => {
  const silent = createServer();
  const address = () => new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  beforeAll(() => new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void silent.close());

  it('is SERVICE_UNAVAILABLE when its time is over', async () => {
    const client = new DynamoDB({
      endpoint: () => ({ url: address(), region: 'ap-southeast-1' }),
      maxAttempts: 2,
      requestTimeout: 50,
      connectionTimeout: 50,
    });
    const hung = new Table({ client, tableName: 'hung' });
    await expect(hung.get(NoteEntity, { id: 'a' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('a verb', () => {
  it('is retried on conflicts, and ends with SERVICE_UNAVAILABLE', async () => {
    let runs = 0;
    const once = () =>
      retryOnConflict(async () => (++runs < 3 ? Promise.reject(new ConflictError('Note')) : runs));
    expect(await once()).toBe(3);
    makeVirtual();
    const pauses: number[] = [];
    const virtual = { random: seeded(1), pause: async (ms: number) => void pauses.push(ms) };
    const never = () => retryOnConflict(() => Promise.reject(new ConflictError('Note')));
    await expect(runVirtual(virtual, never)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(pauses).toHaveLength(63);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(250);
  });
});
