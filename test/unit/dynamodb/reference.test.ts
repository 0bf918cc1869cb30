import fc from 'fast-check';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BatchGetCommand,
  type Command,
  DescribeTableCommand,
  DynamoDB,
  GetCommand,
  PutCommand,
  QueryCommand,
  readItem,
  TransactWriteCommand,
  UpdateCommand,
} from '../../../shared/platform/dynamodb/index.ts';
import type { AttributeMap } from '../../../shared/platform/dynamodb/read-json.ts';
import { type Arrived, playedCredentials, playedService, reply } from '../../support/played-service.ts';
import { referenceClient, sdkCommand } from '../../support/reference-client.ts';

/** What the service plays next. */
let play: (request: Arrived, response: ServerResponse) => void;
let service: Awaited<ReturnType<typeof playedService>>;
let ours: DynamoDB;
let theirs: Awaited<ReturnType<typeof referenceClient>>;

const connection = () => ({
  endpoint: service.endpoint,
  credentials: () => Promise.resolve(playedCredentials),
  requestTimeout: 2000,
  connectionTimeout: 1000,
});

beforeAll(async () => {
  service = await playedService((request, response) => play(request, response));
  ours = new DynamoDB({ ...connection(), maxAttempts: 1 });
  theirs = await referenceClient({ ...connection(), maxAttempts: 1 });
});
afterAll(() => service.close());

const both = async (command: Command) => {
  service.arrived.length = 0;
  const outcomes = await Promise.allSettled([ours.send(command), theirs.send(sdkCommand(command))]);
  return outcomes;
};

const name = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_.-]{2,20}$/);
const text = fc.string({ unit: 'binary', maxLength: 20 });
const plain = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.uint8Array({ maxLength: 9 }));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    plain,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string({ maxLength: 6 }), tie('value'), { maxKeys: 3 }),
  ),
}));
// The SDK loses an attribute of the name `__proto__`.
const attributeName = fc.stringMatching(/^[a-z_]{1,9}$/).filter((name) => name !== '__proto__');
const attributes = fc.dictionary(attributeName, value, { maxKeys: 5 });
const key = fc.record({ pk: text, sk: text });
const optional = <Value>(one: fc.Arbitrary<Value>) => fc.option(one, { nil: undefined });
const expressions = {
  TableName: name,
  ConditionExpression: optional(text),
  ExpressionAttributeNames: optional(fc.dictionary(fc.stringMatching(/^#[a-z]{1,4}$/), text)),
  ExpressionAttributeValues: optional(fc.dictionary(fc.stringMatching(/^:[a-z]{1,4}$/), value)),
  ReturnValuesOnConditionCheckFailure: fc.constantFrom('ALL_OLD' as const, undefined),
};
const ReturnConsumedCapacity = fc.constantFrom('INDEXES' as const, undefined);
const update = fc.record({ ...expressions, Key: key, UpdateExpression: text });
const put = fc.record({ ...expressions, Item: attributes });

const command: fc.Arbitrary<Command> = fc.oneof(
  fc
    .record({ TableName: name, Key: key, ConsistentRead: optional(fc.boolean()), ReturnConsumedCapacity })
    .map((input) => new GetCommand(input)),
  fc
    .record({
      RequestItems: fc.dictionary(
        fc.oneof(name, fc.constantFrom('Item', 'Keys')),
        fc.record({ Keys: fc.array(key, { minLength: 1, maxLength: 3 }), ConsistentRead: fc.boolean() }),
        { minKeys: 1, maxKeys: 2 },
      ),
    })
    .map((input) => new BatchGetCommand(input)),
  fc
    .record({
      ...expressions,
      KeyConditionExpression: text,
      IndexName: optional(name),
      Limit: optional(fc.integer({ min: 1, max: 9 })),
      ScanIndexForward: fc.boolean(),
      Select: fc.constantFrom('COUNT' as const, undefined),
      ExclusiveStartKey: optional(key),
    })
    .map(
      ({ ConditionExpression: _, ReturnValuesOnConditionCheckFailure: __, ...input }) =>
        new QueryCommand(input),
    ),
  put.map((input) => new PutCommand(input)),
  update.map((input) => new UpdateCommand({ ...input, ReturnValues: 'UPDATED_NEW' })),
  fc
    .record({
      TransactItems: fc.array(
        fc.oneof(
          put.map((Put) => ({ Put })),
          update.map((Update) => ({ Update })),
          fc.record({ ...expressions, Key: key }).map((Delete) => ({ Delete })),
          fc
            .record({ ...expressions, Key: key, ConditionExpression: text })
            .map((ConditionCheck) => ({ ConditionCheck })),
        ),
        { minLength: 1, maxLength: 4 },
      ),
      ClientRequestToken: fc.uuid(),
      ReturnConsumedCapacity,
    })
    .map((input) => new TransactWriteCommand(input)),
  name.map((TableName) => new DescribeTableCommand({ TableName })),
);

const attributeValue = fc.letrec<{ one: object }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    text.map((S) => ({ S })),
    fc.integer().map((N) => ({ N: String(N) })),
    fc.constantFrom({ N: '1E+2' }, { N: '12345678901234567890123456789012345678' }, { N: '0.1' }),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant({ NULL: true }),
    fc.uint8Array({ maxLength: 9 }).map((some) => ({ B: Buffer.from(some).toString('base64') })),
    fc.constantFrom({ SS: ['a', 'b'] }, { NS: ['1', '2.5'] }, { BS: ['AQI=', 'Aw=='] }),
    fc.array(tie('one'), { maxLength: 3 }).map((L) => ({ L })),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie('one'), { maxKeys: 3 }).map((M) => ({ M })),
  ),
})).one;
const stored = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), attributeValue, { maxKeys: 5 });

const replies: Record<string, fc.Arbitrary<object>> = {
  GetItem: fc.record({ Item: stored }, { requiredKeys: [] }),
  BatchGetItem: fc.record({
    Responses: fc.dictionary(name, fc.array(stored, { maxLength: 3 }), { maxKeys: 2 }),
    UnprocessedKeys: fc.dictionary(name, fc.record({ Keys: fc.array(stored, { maxLength: 2 }) }), {
      maxKeys: 1,
    }),
  }),
  Query: fc.record(
    {
      Items: fc.array(stored, { maxLength: 4 }),
      Count: fc.integer({ min: 0, max: 9 }),
      ScannedCount: fc.integer({ min: 0, max: 9 }),
      LastEvaluatedKey: stored,
      ConsumedCapacity: fc.constant({ TableName: 'a', CapacityUnits: 2.5, Table: { CapacityUnits: 2.5 } }),
    },
    { requiredKeys: ['Items'] },
  ),
  UpdateItem: fc.record({ Attributes: stored }),
  TransactWriteItems: fc.constant({ ConsumedCapacity: [{ TableName: 'a', CapacityUnits: 16 }] }),
  DescribeTable: fc.constant({ Table: { TableId: 'id', CreationDateTime: 1_800_000_000.25 } }),
};
const commandOf: Record<string, Command> = {
  GetItem: new GetCommand({ TableName: 'abc', Key: { pk: 'a', sk: 'b' } }),
  BatchGetItem: new BatchGetCommand({ RequestItems: { abc: { Keys: [{ pk: 'a', sk: 'b' }] } } }),
  Query: new QueryCommand({ TableName: 'abc', KeyConditionExpression: 'a = b' }),
  UpdateItem: new UpdateCommand({ TableName: 'abc', Key: { pk: 'a', sk: 'b' } }),
  TransactWriteItems: new TransactWriteCommand({ TransactItems: [] }),
  DescribeTable: new DescribeTableCommand({ TableName: 'abc' }),
};

describe('a request', () => {
  it('has the operation, the content and a valid signature, as that of the SDK', async () => {
    play = (_, response) => reply(response, 200, {});
    const run = fc.asyncProperty(command, async (one) => {
      const outcomes = await both(one);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      const [first, second] = service.arrived;
      expect([first?.isSigned, second?.isSigned]).toEqual([true, true]);
      expect(first?.operation).toBe(second?.operation);
      expect(first?.body).toEqual(second?.body);
      for (const header of ['content-type', 'host', 'x-amz-security-token'])
        expect(first?.headers[header]).toBe(second?.headers[header]);
    });
    await fc.assert(run, { numRuns: 300 });
  });
});

describe('a reply', () => {
  it.each(Object.keys(replies))('to %s is read as by the SDK', async (operation) => {
    const run = fc.asyncProperty(replies[operation]!, fc.boolean(), async (body, chunked) => {
      play = (_, response) => {
        if (!chunked) {
          reply(response, 200, body);
          return;
        }
        const whole = Buffer.from(JSON.stringify(body));
        response.writeHead(200, { 'x-amzn-requestid': 'the-request' });
        for (let at = 0; at < whole.length; at += 7) response.write(whole.subarray(at, at + 7));
        response.end();
      };
      const [one, other] = await both(commandOf[operation]!);
      if (one.status === 'rejected') throw one.reason;
      if (other.status === 'rejected') throw other.reason;
      const { $metadata, ...output } = one.value as unknown as Record<string, unknown>;
      const { $metadata: expected, ...reference } = other.value as unknown as Record<string, unknown>;
      expect(shown(output)).toEqual(shown(reference));
      expect(expected).toMatchObject($metadata as object);
    });
    await fc.assert(run, { numRuns: 60 });
  });
});

/** Of a table only what the type of the output has. */
const shown = ({ Table, ...output }: Record<string, unknown>): unknown => ({
  ...output,
  ...(Table as object),
});

const errorNames = [
  'ConditionalCheckFailedException',
  'ExpiredTokenException',
  'IdempotentParameterMismatchException',
  'InternalServerError',
  'InvalidSignatureException',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ResourceNotFoundException',
  'ServiceUnavailable',
  'ThrottlingException',
  'TransactionCanceledException',
  'TransactionConflictException',
  'TransactionInProgressException',
  'UnrecognizedClientException',
  'ValidationException',
];

describe('an error', () => {
  const body = fc.record(
    {
      __type: fc
        .tuple(
          fc.constantFrom('', 'com.amazonaws.dynamodb.v20120810#', 'com.amazon.coral.service#'),
          fc.constantFrom(...errorNames),
          fc.constantFrom('', ':http://internal.amazon.com/coral/'),
        )
        .map((parts) => parts.join('')),
      message: text.filter((some) => some !== ''),
      Message: text.filter((some) => some !== ''),
      Item: stored,
      CancellationReasons: fc.array(
        fc.record(
          {
            Code: fc.constantFrom('None', 'ConditionalCheckFailed', 'TransactionConflict'),
            Message: text,
            Item: stored,
          },
          { requiredKeys: ['Code'] },
        ),
        { maxLength: 4 },
      ),
    },
    { requiredKeys: ['__type'] },
  );

  const said = (error: unknown) => {
    const { name: type, message, $fault, $metadata } = error as Record<string, unknown>;
    const { Item, CancellationReasons: reasons } = error as { Item?: object; CancellationReasons?: object[] };
    const { httpStatusCode, requestId, attempts, totalRetryDelay } = $metadata as Record<string, unknown>;
    const read = (item: object | undefined) => item && readItem(item as AttributeMap);
    const metadata = [httpStatusCode, requestId, attempts, totalRetryDelay];
    return { type, message, $fault, metadata, Item, reasons, read };
  };

  it('has the name, the message, the reasons and the items of the SDK’s', async () => {
    const run = fc.asyncProperty(body, fc.constantFrom(400, 500, 503), async (one, status) => {
      const known = ['ConditionalCheckFailedException', 'TransactionCanceledException'];
      play = (_, response) => reply(response, status, one);
      const outcomes = await both(commandOf['GetItem']!);
      const [ourError, theirError] = outcomes.map((outcome) =>
        outcome.status === 'rejected' ? said(outcome.reason) : undefined,
      );
      expect(ourError?.type).toBe(theirError?.type);
      expect([ourError?.message, ourError?.metadata]).toEqual([theirError?.message, theirError?.metadata]);
      if (!known.includes(String(ourError?.type))) return;
      const items = (error: ReturnType<typeof said> | undefined) => [
        error?.read(error.Item),
        error?.reasons?.map(({ Item, ...more }: { Item?: object }) => ({ ...more, Item: error.read(Item) })),
      ];
      const isOfItem = ourError?.type === 'ConditionalCheckFailedException';
      expect(items(ourError)[isOfItem ? 0 : 1]).toEqual(items(theirError)[isOfItem ? 0 : 1]);
    });
    await fc.assert(run, { numRuns: 300 });
  });
});

describe('what is sent again', () => {
  const transient = ['InternalServerError', 'ServiceUnavailable', 'Unknown'].map(
    (type) => [type, 500] as const,
  );
  const others = errorNames.map((type) => [type, 400] as const);
  const cases = [
    ...transient,
    ...others,
    ['SlowDown', 429] as const,
    ['Unknown', 502] as const,
    ['Unknown', 504] as const,
  ];

  it.each(cases)('after %s with status %d is what the SDK sends again', async (type, status) => {
    const seen: string[] = [];
    play = ({ headers }, response) => {
      seen.push(String(headers['user-agent']).startsWith('aws-sdk') ? 'theirs' : 'ours');
      reply(response, status, { __type: type, message: 'no' }, { 'x-amz-retry-after': '0' });
    };
    const retrying = { ...connection(), maxAttempts: 2 };
    const reference = await referenceClient(retrying);
    const one = commandOf['GetItem']!;
    const outcomes = await Promise.allSettled([
      new DynamoDB(retrying).send(one),
      reference.send(sdkCommand(one)),
    ]);
    expect(
      outcomes.map((outcome) => outcome.status === 'rejected' && (outcome.reason as Error).name),
    ).toEqual([type, type]);
    const count = (whose: string) => seen.filter((each) => each === whose).length;
    expect([type, status, count('ours')]).toEqual([type, status, count('theirs')]);
    reference.destroy();
  });
});
