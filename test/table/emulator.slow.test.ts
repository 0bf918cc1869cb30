import {
  type CreateTableCommandInput,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test as always, vi } from 'vitest';
import { awsConfig } from '../../infra/local/aws-config.ts';
import { findEmulator } from '../../infra/local/table/find-emulator.ts';
import {
  createLocalTable,
  startTable,
  sweepExpired,
  type TableServer,
} from '../../infra/local/table/index.ts';
import { waitUntil } from '../support/wait-until.ts';

const definition: CreateTableCommandInput = {
  TableName: 'emulator-test',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
};
const TableName = 'emulator-test';

const hasEmulator = (): boolean => {
  try {
    return findEmulator() !== '';
  } catch {
    return false;
  }
};
/** On a platform without the emulator the other tests run on the endpoint from outside. */
const test = always.skipIf(!hasEmulator());

const lines: string[] = [];
const log = (line: string): void => void lines.push(line);
const undo: (() => unknown)[] = [];

/** These tests are about the emulator itself, whatever endpoint the others use. */
beforeAll(() => void vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', ''));
afterAll(() => void vi.unstubAllEnvs());
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

const start = async (dataDir?: string): Promise<TableServer> => {
  const table = await startTable({ log, ...(dataDir !== undefined && { dataDir }) });
  undo.push(table.stop);
  return table;
};
const connect = (endpoint: string): DynamoDBClient => {
  const client = new DynamoDBClient({ ...awsConfig(endpoint), maxAttempts: 20 });
  undo.push(() => client.destroy());
  return client;
};
const dataFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'nightlatch-test-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const put = (client: DynamoDBClient, pk: string, more = {}): Promise<unknown> =>
  client.send(new PutItemCommand({ TableName, Item: { pk: { S: pk }, sk: { S: '-' }, ...more } }));
const keysIn = async (client: DynamoDBClient): Promise<string[]> => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }));
  return Items.map((item) => item['pk']?.S ?? '');
};
/** In a container without an init process a dead one keeps its entry; its command line is empty then. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
};

test('kill -9 of the emulator in a storm of writes: it comes back on its port with everything acknowledged', async () => {
  const table = await start();
  await createLocalTable(table.endpoint, definition);
  const client = connect(table.endpoint);
  const acknowledged: string[] = [];
  const first = table.pid();
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; n < 60; n += 1) {
      const key = `${writer}-${n}`;
      await put(client, key);
      acknowledged.push(key);
      if (writer === 0 && n % 20 === 10) process.kill(table.pid()!, 'SIGKILL');
    }
  });
  await Promise.all(writers);

  expect(table.pid()).not.toBe(first);
  const kept = new Set(await keysIn(client));
  expect(acknowledged.filter((key) => !kept.has(key))).toEqual([]);
  expect(acknowledged).toHaveLength(480);
});

test('keeps its data in DATA_DIR from one run to the next', async () => {
  const folder = dataFolder();
  const before = await startTable({ log, dataDir: folder });
  expect(await createLocalTable(before.endpoint, definition)).toMatchObject({ created: true });
  await put(connect(before.endpoint), 'kept');
  await before.stop();

  const after = await start(folder);
  expect(await createLocalTable(after.endpoint, definition)).toMatchObject({ created: false });
  expect(await keysIn(connect(after.endpoint))).toEqual(['kept']);
});

test('refuses a DATA_DIR that another run has in use', async () => {
  const folder = dataFolder();
  await start(folder);
  await expect(start(folder)).rejects.toThrow('in use by another running Nightlatch');
});

const startInOtherProcess = async (dataDir: string): Promise<{ child: ChildProcess; emulator: number }> => {
  const module = join(import.meta.dirname, '../../infra/local/table/index.ts');
  const script = `const { startTable } = await import(${JSON.stringify(module)});
    const dataDir = ${JSON.stringify(dataDir)};
    const table = await startTable({ log: console.error, ...(dataDir && { dataDir }) });
    console.log(table.pid() + ' ' + table.file.path);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  undo.push(() => child.kill('SIGKILL'));
  const [pid, path] = await new Promise<string[]>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim().split(' ')));
  });
  expect(existsSync(path!)).toBe(true);
  undo.push(() =>
    waitUntil('the temporary folder is gone', () => dataDir !== '' || !existsSync(dirname(path!))),
  );
  return { child, emulator: Number(pid) };
};

test('kill -9 of the service leaves no emulator and no temporary folder behind', async () => {
  const { child, emulator } = await startInOtherProcess('');
  child.kill('SIGKILL');
  await waitUntil('the emulator is gone', () => !isRunning(emulator));
});

test('kill -9 of the service and a restart at once with the same DATA_DIR', async () => {
  const folder = dataFolder();
  const { child } = await startInOtherProcess(folder);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  const table = await start(folder);
  await createLocalTable(table.endpoint, definition);
  await put(connect(table.endpoint), 'after');
  expect(await keysIn(connect(table.endpoint))).toEqual(['after']);
});

test.each(['its index', 'a scan'])(
  'sweeps what has expired by the given clock and nothing else, found by %s',
  async (by) => {
    const { endpoint, file } = await start();
    await createLocalTable(endpoint, definition);
    const client = connect(endpoint);
    const sweep = () =>
      sweepExpired({
        endpoint,
        tableName: TableName,
        file: by === 'a scan' ? undefined : file,
        nowMs: 1_000_000,
      });
    expect(await sweep()).toBe(0);
    await put(client, 'past', { expires_at: { N: '1000' } });
    await put(client, 'future', { expires_at: { N: '1001' } });
    await put(client, 'forever', { note: { S: '"expires_at":{"N":"1"}' } });
    await put(client, 'text', { expires_at: { S: '1' } });
    await put(client, 'nested', { inner: { M: { expires_at: { N: '1' } } } });
    expect(await sweep()).toBe(1);
    expect((await keysIn(client)).toSorted()).toEqual(['forever', 'future', 'nested', 'text']);
  },
);

test('does not delete an item that was renewed after it was found', async () => {
  const { endpoint } = await start();
  await createLocalTable(endpoint, definition);
  const client = connect(endpoint);
  await put(client, 'renewed', { expires_at: { N: '2000' } });
  const file = { expired: () => [{ pk: 'renewed', sk: '-' }] };
  expect(await sweepExpired({ endpoint, tableName: TableName, file, nowMs: 1_000_000 })).toBe(0);
  expect(await keysIn(client)).toEqual(['renewed']);
});

test('trims stream records without disturbing the numbering', async () => {
  const table = await start();
  const { streamArn } = await createLocalTable(table.endpoint, definition);
  const client = connect(table.endpoint);
  for (const key of ['a', 'b', 'c']) await put(client, key);
  expect(streamArn).toContain(TableName);
  expect(table.file?.trim(TableName, '3')).toBe(2);
  await put(client, 'd');
  expect(table.file?.trim(TableName, '3')).toBe(1);
  expect(table.file?.trim(TableName, '9')).toBe(0);
  const item = await client.send(new GetItemCommand({ TableName, Key: { pk: { S: 'd' }, sk: { S: '-' } } }));
  expect(item.Item).toBeDefined();
});

always('says how to go on where there is no emulator for the platform', async () => {
  vi.stubEnv('DYNOXIDE_PATH', '/nowhere/dynoxide');
  await expect(startTable({ log })).rejects.toThrow('AWS_ENDPOINT_URL_DYNAMODB');
  vi.stubEnv('DYNOXIDE_PATH', undefined);
});
