import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { randomUUID } from 'node:crypto';
import { tableDefinition } from '../../../shared/platform/table/definition.ts';
import { sdkCommand } from '../../support/reference-client.ts';
import { isSameResult, renamed } from './compared.ts';
import type { Feature } from './rejected-requests.ts';
import type { Backend } from './simulated-table.ts';
import type { Item } from './values.ts';

/** A difference that is the engine's, not the simulated table's. */
interface Deviation {
  says: string;
  holds: (ours: Item, theirs: Item) => boolean;
}

/** A DynamoDB to compare with, and where it is known to differ from AWS's documentation. */
export interface Engine {
  name: string;
  skips: ReadonlySet<Feature>;
  deviations: readonly Deviation[];
}

const codes = ({ reasons }: Item): unknown[] =>
  ((reasons ?? []) as { Code?: string }[]).map(({ Code }) => Code);
const isError = (name: string, ...results: readonly Item[]): boolean =>
  results.every(({ error }) => error === name);

const otherWords: Deviation = {
  says: 'the same error in other words',
  holds: (ours, theirs) =>
    ours['error'] !== undefined &&
    ours['error'] === theirs['error'] &&
    JSON.stringify([codes(ours), ours['Item']]) === JSON.stringify([codes(theirs), theirs['Item']]),
};

/** The emulator of the laptop. */
export const dynoxide: Engine = {
  name: 'dynoxide',
  skips: new Set<Feature>([
    'removal below nothing',
    'placeholders',
    'types of operands',
    'distinct operands',
    'most operands',
    'type names',
    'function names',
    'conflicting paths',
    'types of key conditions',
    'empty key conditions',
    'start key outside',
    'one action',
    'sizes of index keys',
  ]),
  deviations: [
    {
      says: 'an update that creates an item has no old attributes; dynoxide returns the key as such',
      holds: (ours, theirs) =>
        ours['Attributes'] === undefined &&
        Object.keys(theirs['Attributes'] ?? {}).join() === 'pk,sk' &&
        isSameResult({ ...ours, Attributes: undefined }, { ...theirs, Attributes: undefined }),
    },
    {
      says: 'two operations on one item reject a transaction; dynoxide compares its token first',
      holds: (ours, theirs) =>
        isError('ValidationException', ours) &&
        String(ours['message']).includes('multiple operations on one item') &&
        isError('IdempotentParameterMismatchException', theirs),
    },
    otherWords,
  ],
};

/** The official DynamoDB Local. */
export const dynamoDbLocal: Engine = {
  name: 'DynamoDB Local',
  skips: new Set<Feature>(['capacity', 'updated parts of maps']),
  deviations: [
    {
      says: 'an update that fails on its item cancels a transaction; DynamoDB Local rejects the request',
      holds: (ours, theirs) =>
        isError('TransactionCanceledException', ours) &&
        isError('ValidationException', theirs) &&
        codes(ours).includes('ValidationError'),
    },
    {
      says: 'two operations on one item reject a transaction; DynamoDB Local looks at the conditions first',
      holds: (ours, theirs) =>
        isError('ValidationException', ours) &&
        String(ours['message']).includes('multiple operations on one item') &&
        isError('TransactionCanceledException', theirs),
    },
    {
      says: 'capacity is reported on request; DynamoDB Local reports that of the deletion of nothing always',
      holds: (ours, theirs) => isSameResult({ ...ours, units: [] }, { ...theirs, units: [] }),
    },
    {
      says: 'a page of as many items as its limit has a LastEvaluatedKey; DynamoDB Local omits it at the bound of a range',
      holds: (ours, theirs) =>
        ours['LastEvaluatedKey'] !== undefined &&
        isSameResult({ ...theirs, LastEvaluatedKey: ours['LastEvaluatedKey'] }, ours),
    },
    otherWords,
  ],
};

/** Creates a table at an endpoint for the comparison. */
export const openEngine = async (endpoint: string): Promise<Backend & { close: () => void }> => {
  const client = new DynamoDBClient({ endpoint, maxAttempts: 1 });
  const TableName = `prove-${randomUUID()}`;
  await client.send(new CreateTableCommand(tableDefinition(TableName)));
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1, maxDelay: 2 }, { TableName });
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  return {
    execute: (command) => documents.send(sdkCommand(renamed(command, TableName))),
    close: () => client.destroy(),
  };
};
