import type { DescribeTableCommandInput, TableDescription } from '@aws-sdk/client-dynamodb';
import type {
  BatchGetCommandInput,
  BatchGetCommandOutput,
  GetCommandInput,
  GetCommandOutput,
  PutCommandInput,
  PutCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  TransactWriteCommandInput,
  TransactWriteCommandOutput,
  UpdateCommandInput,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';

declare const outputType: unique symbol;

/** A request, with plain values in its items. The types of inputs and outputs are those of the SDK's document client. */
export abstract class Command<Input extends object = object, Output extends object = object> {
  /** Its name in DynamoDB's API. */
  abstract readonly operation: string;
  readonly input: Input;
  /** For the compiler alone. */
  declare readonly [outputType]?: Output;

  constructor(input: Input) {
    this.input = input;
  }
}

export class GetCommand extends Command<GetCommandInput, GetCommandOutput> {
  readonly operation = 'GetItem';
}

export class BatchGetCommand extends Command<BatchGetCommandInput, BatchGetCommandOutput> {
  readonly operation = 'BatchGetItem';
}

export class QueryCommand extends Command<QueryCommandInput, QueryCommandOutput> {
  readonly operation = 'Query';
}

export class PutCommand extends Command<PutCommandInput, PutCommandOutput> {
  readonly operation = 'PutItem';
}

export class UpdateCommand extends Command<UpdateCommandInput, UpdateCommandOutput> {
  readonly operation = 'UpdateItem';
}

export class TransactWriteCommand extends Command<TransactWriteCommandInput, TransactWriteCommandOutput> {
  readonly operation = 'TransactWriteItems';
}

interface DescribeTableOutput {
  Table?: Pick<TableDescription, 'TableId' | 'CreationDateTime'>;
}

export class DescribeTableCommand extends Command<DescribeTableCommandInput, DescribeTableOutput> {
  readonly operation = 'DescribeTable';
}
